// Calls on a stream, its lock and a mutex in three threads: a call waits for the lock where another thread has it, and every
// reduction finds what the enumeration does.
// heddle: check
// expect: verdict=clean complete=true
// traces: 21 enumerated
#include <heddle.h>
#include <stdio.h>

#include "run_threads.h"

static FILE *stream;
static long places[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *Write(void *arg) {
  fputc('x', stream);
  pthread_mutex_lock(&mutex);
  fputc('y', stream);
  pthread_mutex_unlock(&mutex);
  return arg;
}

static void *Lock(void *arg) {
  flockfile(stream);
  places[0] = ftell(stream);
  fputc('z', stream);
  funlockfile(stream);
  return arg;
}

static void *Try(void *arg) {
  places[1] = 9;
  if (ftrylockfile(stream) != 0) return arg;
  places[1] = ftell(stream);
  funlockfile(stream);
  return arg;
}

int main() {
  stream = tmpfile();
  RunThreads(3, (Body[]){Write, Lock, Try});
  heddle_outcome("%ld %ld", places[0], places[1]);
}
