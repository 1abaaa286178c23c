// As loop_calls.c, and in front of the call are instructions of floating point, of which heddle knows only how long they are.
// ("every schedule explored (1 execution)" was said here.)
// compilers: gcc clang   opt: -O1 -O2
// heddle: check --reduction optimal
// expect: incomplete=loop-calls stdout~gcvt
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "run_threads.h"

static atomic_int flag;
static char last[32];

static void* Set(void* arg) {
  flag = 1;
  flag = 2;
  return arg;
}

__attribute__((noinline)) static void Tell(int value) { gcvt(value, 8, last); }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, Set, 0);
  int value;
  while ((value = flag) != 2) Tell(value);
  assert(strcmp(last, "0") != 0);
  pthread_join(thread, 0);
}
