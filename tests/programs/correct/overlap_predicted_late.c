// A compare-exchange of a word that fails reads it; made earlier it would succeed and write. What another thread does later
// to a byte of the word commutes with the one, not with the other, so it has to come before it in one execution.
// heddle: check --reduction optimal
// expect: verdict=clean complete=true executions=5 redundant=0 outcomes=0:-1,1:-1,0:0,1:0,1:1
// Derived: without the load, the addition and the exchange in both orders. With it, the exchange fails after the addition,
// and where the load comes is all the same: the byte is 0. If it succeeds, the load comes before or after it.
// traces: 5 enumerated
#include <heddle.h>
#include <stdatomic.h>
#include <stdint.h>

#include "run_threads.h"

static union {
  _Atomic uint32_t word;
  _Atomic uint8_t bytes[4];
} shared;
static int exchanged, seen = -1;

static void *Add(void *arg) {
  atomic_fetch_add(&shared.bytes[0], 1);
  return arg;
}

static void *Exchange(void *arg) {
  uint32_t expected = 0;
  exchanged = atomic_compare_exchange_strong(&shared.word, &expected, 0x01010101);
  return arg;
}

static void *Look(void *arg) {
  if (heddle_choose(2) == 1) seen = atomic_load(&shared.bytes[2]);
  return arg;
}

int main(void) {
  RunThreads(3, (Body[]){Add, Exchange, Look});
  heddle_outcome("%d:%d", exchanged, seen);
}
