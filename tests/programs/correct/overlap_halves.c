// A compare-exchange of several places at once: it succeeds if all of them are 0, and which of the
// others comes first decides about that.
//   halves: of 16 bytes. S stores to the low half, L loads the high one. After S it fails, is a
//     read, and commutes with L: 1. Before S it is a write: L before or after it: 2. Together 3.
//   crossing: of 8 bytes, 4 of them before and 4 behind a boundary of 16. S stores a byte of the
//     first four, T one of the others: each before or after it: 4.
//   bytes: of two bytes. S and T store to one each, and L loads the first. If it is before S and T,
//     it is a write: 3 places for L. Else it fails, in 3 ways, and L is before or after S: 6.
//     Together 9.
// compilers: gcc clang   opt: -O0 -O2   flags: -mcx16 -latomic -Wno-atomic-alignment
// heddle: check --order depth-first -- halves
// expect: verdict=clean complete=true happens_before=3
// traces: 3 enumerated -- halves
// traces: 4 enumerated -- crossing
// traces: 9 enumerated -- bytes
// traces: 9 -- bytes
#include <stdint.h>
#include <string.h>

#include "run_threads.h"

static _Alignas(16) union {
  unsigned __int128 both;
  uint64_t halves[2];
  uint8_t bytes[32];
} u;
static uint64_t seen;

static void *ExchangeBoth(void *arg) {
  (void)arg;
  unsigned __int128 expected = 0;
  __atomic_compare_exchange_n(&u.both, &expected, ~expected, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return 0;
}

static void *StoreHalf(void *arg) {
  (void)arg;
  __atomic_store_n(&u.halves[0], 5, __ATOMIC_SEQ_CST);
  return 0;
}

static void *LoadHalf(void *arg) {
  (void)arg;
  seen = __atomic_load_n(&u.halves[1], __ATOMIC_SEQ_CST);
  return 0;
}

static void *ExchangeCrossing(void *arg) {
  (void)arg;
  uint64_t *crossing = (uint64_t *)(void *)&u.bytes[12];
  uint64_t expected = 0;
  __atomic_compare_exchange_n(crossing, &expected, ~0ul, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return 0;
}

static void *StoreAcross(void *arg) {
  __atomic_store_n(&u.bytes[arg == 0 ? 14 : 18], 1, __ATOMIC_SEQ_CST);
  return 0;
}

static void *ExchangeTwo(void *arg) {
  (void)arg;
  uint16_t *two = (uint16_t *)(void *)u.bytes;
  uint16_t expected = 0;
  __atomic_compare_exchange_n(two, &expected, 0x202, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return 0;
}

static void *StoreOne(void *arg) {
  __atomic_store_n(&u.bytes[(long)arg], 1, __ATOMIC_SEQ_CST);
  return 0;
}

static void *LoadOne(void *arg) {
  (void)arg;
  seen = __atomic_load_n(&u.bytes[0], __ATOMIC_SEQ_CST);
  return 0;
}

int main(int argc, char **argv) {
  assert(argc == 2);
  if (strcmp(argv[1], "halves") == 0) RunThreads(3, (Body[]){StoreHalf, LoadHalf, ExchangeBoth});
  if (strcmp(argv[1], "crossing") == 0)
    RunThreads(3, (Body[]){StoreAcross, StoreAcross, ExchangeCrossing});
  if (strcmp(argv[1], "bytes") == 0)
    RunThreads(4, (Body[]){StoreOne, StoreOne, LoadOne, ExchangeTwo});
}
