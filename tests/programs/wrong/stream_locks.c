// Locks of streams and mutexes in two orders; a stream that is unlocked by who has not locked it, or used when it was closed.
// heddle: check -- lock
// expect: verdict=bug kind=deadlock message~stream
// heddle: check -- print
// expect: verdict=bug kind=deadlock message~stream
// heddle: check -- stays
// expect: verdict=bug kind=deadlock message~stream
// heddle: check -- unlock
// expect: verdict=bug kind=misuse location=@unlock
// heddle: check -- close
// expect: verdict=bug kind=use-after-free location=@close
#include <stdio.h>
#include <string.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const char *what;
static FILE *stream;

static int Is(const char *name) { return strcmp(what, name) == 0; }

static void *First(void *arg) {
  if (Is("close")) {
    fclose(stream);
    return arg;
  }
  flockfile(stdout);
  if (Is("stays")) return arg;
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  funlockfile(stdout);
  return arg;
}

static void *Second(void *arg) {
  if (Is("close")) fputc('x', stream);      // @close
  if (Is("unlock")) funlockfile(stdout);  // @unlock
  if (Is("stays")) puts("x");
  pthread_mutex_lock(&mutex);
  if (Is("lock")) {
    flockfile(stdout);
    funlockfile(stdout);
  }
  if (Is("print")) printf("x");
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(int argc, char **argv) {
  assert(argc == 2);
  what = argv[1];
  stream = tmpfile();
  RunThreads(2, (Body[]){First, Second});
}
