// Memory that was handed to libc, and is freed when libc has no more use for it.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check --leaks
// expect: verdict=clean complete=true
// heddle: check --points all -- alone
// expect: verdict=clean complete=true executions=1
#include <assert.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void Jumps(void) {
  volatile int count = 0;
  jmp_buf *buffer = malloc(sizeof *buffer);
  if (setjmp(*buffer) < 3) longjmp(*buffer, ++count);
  assert(count == 3);
  free(buffer);
  sigjmp_buf with_mask;
  if (!sigsetjmp(with_mask, 1)) siglongjmp(with_mask, 1);
  if (!_setjmp(with_mask)) _longjmp(with_mask, 1);
}

static void Settings(void) {
  char *first = strcpy(malloc(20), "HEDDLE_SETTING=1");
  char *second = strcpy(malloc(20), "HEDDLE_SETTING=2");
  char *third = strcpy(malloc(20), "HEDDLE_THIRD=3");
  putenv(first);
  putenv(third);
  assert(strcmp(getenv("HEDDLE_SETTING"), "1") == 0);
  putenv(second);
  free(first);
  assert(strcmp(getenv("HEDDLE_SETTING"), "2") == 0 && !getenv("HEDDLE_OTHER"));
  setenv("HEDDLE_SETTING", "4", 1);
  free(second);
  unsetenv("HEDDLE_THIRD");
  free(third);
  assert(strcmp(getenv("HEDDLE_SETTING"), "4") == 0 && !getenv("HEDDLE_THIRD"));
}

static void Streams(void) {
  FILE *file = fopen("/dev/null", "w");
  char *buffer = malloc(BUFSIZ), *other = malloc(BUFSIZ);
  setvbuf(file, buffer, _IOFBF, BUFSIZ);
  fputs("text", file);
  fprintf(file, "%d", 1);
  fflush(file);
  setvbuf(file, other, _IOLBF, BUFSIZ);
  free(buffer);
  fputs("text\n", file);
  setvbuf(file, NULL, _IONBF, 0);
  free(other);
  fputs("text", file);
  fputc('t', file);
  fclose(file);
  size_t bytes;
  file = open_memstream(&buffer, &bytes);
  fprintf(file, "%d", 12);
  fclose(file);
  assert(bytes == 2);
  free(buffer);
}

// What the two do to one stream is ordered by its lock.
static FILE *shared;
static void *Prints(void *arg) {
  fputs("text", shared);
  return arg;
}
static void *Frees(void *arg) {
  pthread_mutex_lock(&mutex);
  Settings();
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(int argc, char **argv) {
  Jumps();
  Settings();
  Streams();
  if (argc > 1) return argv[1] == 0;
  char *buffer = malloc(BUFSIZ);
  shared = fopen("/dev/null", "w");
  setvbuf(shared, buffer, _IOFBF, BUFSIZ);
  RunThreads(2, (Body[]){Prints, Frees});
  fclose(shared);
  free(buffer);
}
