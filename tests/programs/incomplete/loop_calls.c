// What a round changes is written by a function of a library, which a function of the program calls: as wrong/spin_calls_library.c,
// where the loop itself calls it. ("every schedule explored (1 execution)" was said here.)
// compilers: gcc clang   opt: -O1 -O2
// heddle: check --reduction optimal
// expect: incomplete=loop-calls stdout~strfromd
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "run_threads.h"

#ifndef LOOK  // loop_calls_outside_helper.c has another
#define LOOK(from) (from)
#endif
static atomic_int flag;
static char last[32];

static void* Set(void* arg) {
  flag = 1;
  flag = 2;
  return arg;
}

#ifndef WRITE  // loop_calls_float.c has another
#define WRITE(value) strfromd(last, sizeof last, "%.0f", value)
#define ZERO "0"
#endif
__attribute__((noinline)) static void Tell(int value) { WRITE(value); }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, Set, 0);
  int value;
  while ((value = LOOK(flag)) != 2) Tell(value);
  assert(strcmp(last, ZERO) != 0);
  pthread_join(thread, 0);
}
