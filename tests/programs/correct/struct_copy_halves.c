// GCC tells of both halves of a struct's copy before it is made: the thread that looks in between gets the old value. Three graphs
// mean 0:1, 0:0 and 1:1, but the last is not seen by a reduction, so the search must not say that it is complete.
// heddle: check --points all --no-races
// compilers: gcc   opt: -O0
// expect: incomplete=split-copy
#include <heddle.h>

#include "run_threads.h"

struct Pair {
  long first, second, third;
};
static struct Pair from, to;
static long seen;

static void *Copy(void *arg) {
  to = from;
  return arg;
}

static void *Write(void *arg) {
  from.third = 1;
  seen = to.third;
  return arg;
}

int main(void) {
  RunThreads(2, (Body[]){Copy, Write});
  heddle_outcome("%ld:%ld", seen, to.third);
}
