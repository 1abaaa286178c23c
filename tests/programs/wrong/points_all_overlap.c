// Plain and atomic accesses of different sizes to one word, which race. What is atomic sees what the
// plain accesses before it left. W: x = 1; B: its first byte = 3, after W. C: compare-exchange of x
// from 1 to 2, a write only between W and B. L: loads x.
//   C before W, or after B: fails, a read; L has 3 places among W and B: 3 and 3.
//   C between: L has 4 places among W, C, B.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check --points all --keep-going
// expect: verdict=bug kinds=data-race complete=true
// traces: 10 enumerated --points all --keep-going
#include <stdint.h>

#include "run_threads.h"

static uint32_t x;

static void *Write(void *arg) {
  (void)arg;
  *(volatile uint32_t *)&x = 1;
  *(volatile uint8_t *)&x = 3;
  return 0;
}

static void *Exchange(void *arg) {
  (void)arg;
  uint32_t expected = 1;
  __atomic_compare_exchange_n(&x, &expected, 2, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return 0;
}

static void *Look(void *arg) {
  (void)arg;
  __atomic_load_n(&x, __ATOMIC_SEQ_CST);
  return 0;
}

int main() { RunThreads(3, (Body[]){Write, Exchange, Look}); }
