// Atomics of two sizes at one address: two stores of the word, and a compare-exchange of its first
// byte, which is 0 whoever came first. All three depend on each other: 3! orders.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check --order depth-first
// expect: verdict=clean complete=true happens_before=6
// expect: outcomes=100,101,200,201
// traces: 6 enumerated
#include <heddle.h>
#include <stdint.h>

#include "run_threads.h"

static uint32_t word;

static void *StoreWord(void *arg) {
  __atomic_store_n(&word, arg == 0 ? 0x100u : 0x200u, __ATOMIC_SEQ_CST);
  return 0;
}

static void *ExchangeByte(void *arg) {
  (void)arg;
  uint8_t expected = 0;
  assert(__atomic_compare_exchange_n((uint8_t *)&word, &expected, 1, 0, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST));
  return 0;
}

int main() {
  RunThreads(3, (Body[]){StoreWord, StoreWord, ExchangeByte});
  heddle_outcome("%x", word);
}
