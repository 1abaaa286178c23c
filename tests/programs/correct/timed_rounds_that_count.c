// Loops that wait with a time limit, whose rounds matter, or may.
// compilers: gcc clang
// opt: -O0 -O2
//
// Any number of rounds may be made before main sets the flag, and the number is seen: 16 of them are explored, and two that the
// loop makes before it is looked at.
// heddle: check -- count
// expect: verdict=incomplete incomplete=idle-rounds bugs=0
// A bound ends it: each number of rounds is explored.
// heddle: check --reduction optimal -- bound
// expect: verdict=clean complete=true outcomes=0,1,2,3
// heddle: check --reduction none -- bound
// expect: verdict=clean complete=true outcomes=0,1,2,3
// What a clock tells depends on how many rounds were made.
// heddle: check -- time
// expect: verdict=incomplete incomplete=time-of-rounds bugs=0
// What a library keeps is not seen.
// heddle: check -- prints
// expect: verdict=incomplete incomplete=loop-calls bugs=0
// A number that a library keeps ends the loop, and nobody else could: no hang.
// heddle: check -- library
// expect: bugs=0
#define _GNU_SOURCE
#include <heddle.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static const struct timespec until = {1, 0};
static int set, rounds;
static char kind;

static void *Wait(void *arg) {
  pthread_mutex_lock(&mutex);
  while (!set) {
    if (kind == 'b' && rounds == 3) break;
    if (kind == 'c' || kind == 'b') ++rounds;
    pthread_cond_timedwait(&changed, &mutex, &until);
  }
  pthread_mutex_unlock(&mutex);
  return arg;
}

static void *Print(void *arg) {
  pthread_mutex_lock(&mutex);
  while (!set) {
    puts("once more");
    pthread_cond_timedwait(&changed, &mutex, &until);
  }
  pthread_mutex_unlock(&mutex);
  return arg;
}

// lrand48_r writes to memory that the program owns, in code that was not rebuilt.
static struct drand48_data data;

static void WaitForLibrary(void) {
  long last = 0;
  pthread_mutex_lock(&mutex);
  while (lrand48_r(&data, &last) == 0 && last % 8 != 7) {
    last = 0;
    pthread_cond_timedwait(&changed, &mutex, &until);
  }
  pthread_mutex_unlock(&mutex);
}

int main(int argc, char **argv) {
  assert(argc > 1);
  kind = argv[1][0];
  if (kind == 'l') {
    srand48_r(1, &data);
    pthread_t thread;
    pthread_create(&thread, NULL, (void *(*)(void *))WaitForLibrary, NULL);
    pthread_join(thread, NULL);
    return 0;
  }
  pthread_t thread;
  pthread_create(&thread, NULL, kind == 'p' ? Print : Wait, NULL);
  pthread_mutex_lock(&mutex);
  set = 1;
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  if (kind == 't') heddle_outcome("%d", clock() != 0);
  if (kind == 'b') heddle_outcome("%d", rounds);
}
