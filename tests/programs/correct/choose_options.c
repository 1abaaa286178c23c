// What a thread chooses late decides which orders of the others' steps are to be run; each option has its own.
// heddle: check --reduction optimal
// expect: verdict=clean complete=true executions=52 redundant=0
// Derived, by what B chooses first (a store or none) and then (load and compare-exchange or not), with C's addition or
// without, and A's load anywhere among the writes:
//   no store, no exchange   1 without the addition, 2 with it                                       (twice)   6
//   store, no exchange      2 without; with it 2 orders of two writes, each with 3 places for the load        8
//   no store, exchange      2 without; with the addition before B's load 3, between load and exchange,
//                           which then fails, 2, after them 3                                       (twice)  20
//   store and exchange      3 without; with the addition before the store 4, before B's load 4, before
//                           the exchange, which then fails, 3, after it 4                                    18
// traces: 52 enumerated
#include <heddle.h>
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int x;

static void *A(void *arg) {
  (void)x;
  return arg;
}

static void *B(void *arg) {
  if (heddle_choose(3) == 1) x = 0x10;
  if (heddle_choose(2) == 1) {
    int expected = x;
    atomic_compare_exchange_strong(&x, &expected, 0);
  }
  return arg;
}

static void *C(void *arg) {
  if (heddle_choose(2) == 0) x++;
  return arg;
}

int main(void) { RunThreads(3, (Body[]){A, B, C}); }
