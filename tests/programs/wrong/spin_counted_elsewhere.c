// Nothing but a global variable tells the rounds of this loop apart, and it is written by another function: the loop is left
// after 20 rounds, in which the flag may not have been set.
// opt: -O0 -O2   compilers: gcc clang
// heddle: check
// expect: verdict=bug kind=assertion
// No number of graphs is stated: how many rounds are told apart before the loop is known to count is a matter of when
// that is noticed (docs/algorithms/spinning.md).
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int ready;
static int rounds;

__attribute__((noinline)) static int TooOften(void) { return ++rounds == 20; }

static void *Wait(void *arg) {
  while (!ready) {
    if (TooOften()) break;
  }
  assert(rounds < 20);
  return arg;
}

static void *Set(void *arg) {
  ready = 1;
  return arg;
}

int main() { RunThreads(2, (Body[]){Wait, Set}); }
