// Blocks that were allocated before main, and one that was freed before it: what is wrong with them is found as with others, in every execution.
// compilers: gcc clang
// heddle: check -- overflow
// expect: verdict=bug kind=heap-buffer-overflow executions=1 message~"T1 writes 1 byte, 0 bytes after the end of block#1, 21 bytes, allocated by main at heap_before_main.c:33"
// heddle: check -- underflow
// expect: verdict=bug kind=heap-buffer-underflow message~"main reads 4 bytes, 8 bytes before the begin of int#1, 40 bytes, allocated by main at heap_before_main.c:34"
// heddle: check -- freed
// expect: verdict=bug kind=use-after-free message~"main reads" message~"which lies in memory that was freed before main()"
// heddle: check -- freed_atomic
// expect: verdict=bug kind=use-after-free message~"T1 loads atomic" message~"which lies in memory that was freed before main()"
// heddle: check -- freed_mutex
// expect: verdict=bug kind=use-after-free message~"main locks mutex" message~"which lies in memory that was freed before main()"
// Each execution frees one of them, after it used it: it is whole again in the next one. Two orders of the sections.
// traces: 2 enumerated -- each
// heddle: check --rewind fork -- each
// expect: verdict=clean bugs=0
// heddle: check --order depth-first --rewind checkpoint -- each
// expect: verdict=clean bugs=0
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char *volatile first;
static int *volatile second;
static void *volatile freed;
static volatile int sink;
static volatile int wrong;

__attribute__((constructor)) static void Allocate(void) {
  first = malloc(21);
  second = malloc(40);
  freed = calloc(1, 64);
  free(freed);
}

static void *Overflow(void *arg) {
  first[20 + wrong] = first[21 + wrong] = 1;
  return arg;
}

static void *Load(void *arg) {
  sink = atomic_load((atomic_int *)freed);
  return arg;
}

static void *Each(void *arg) {
  pthread_mutex_lock(&mutex);
  if (first) {
    memset(first, 1, 21);
    for (int i = 0; i < 10; ++i) second[i] = first[i];
  }
  free(first);
  first = 0;
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(int count, char **arguments) {
  assert(count == 2);
  const char *mode = arguments[1];
  if (strcmp(mode, "overflow") == 0) RunSame(1, Overflow);
  if (strcmp(mode, "underflow") == 0) sink = second[-2 + wrong];
  if (strcmp(mode, "freed") == 0) sink = ((int *)freed)[3 + wrong];
  if (strcmp(mode, "freed_atomic") == 0) RunSame(1, Load);
  if (strcmp(mode, "freed_mutex") == 0) pthread_mutex_lock((pthread_mutex_t *)freed);
  if (strcmp(mode, "each") == 0) RunSame(2, Each);
}
