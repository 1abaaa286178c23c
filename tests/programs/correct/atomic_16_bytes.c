// 16-byte atomics: a pointer and a version that always change together, in every operation.
// compilers: gcc clang   opt: -O0 -O2   flags: -mcx16 -latomic -Wno-atomic-alignment
// heddle: check --memory-model sc
// expect: verdict=clean complete=true
// heddle: check
// expect: verdict=incomplete bugs=0
// Graphs: either thread exchanges first; the other one loaded before that, and tries twice, or after. 2 * 2 = 4.
// traces: 4 enumerated
#include "run_threads.h"

typedef unsigned __int128 Pair;

static Pair shared;

static Pair Make(unsigned long high, unsigned long low) { return (Pair)high << 64 | low; }

static void *Bump(void *arg) {
  (void)arg;
  Pair old = __atomic_load_n(&shared, __ATOMIC_ACQUIRE);
  Pair next;
  do {
    assert((unsigned long)(old >> 64) == (unsigned long)old);
    next = Make((unsigned long)(old >> 64) + 1, (unsigned long)old + 1);
  } while (!__atomic_compare_exchange_n(&shared, &old, next, 0, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE));
  return 0;
}

int main() {
  RunSame(2, Bump);
  assert(shared == Make(2, 2));
  assert(__atomic_exchange_n(&shared, Make(1, 0), __ATOMIC_SEQ_CST) == Make(2, 2));
  assert(__atomic_fetch_sub(&shared, 1, __ATOMIC_SEQ_CST) == Make(1, 0));
  assert(__atomic_fetch_add(&shared, 2, __ATOMIC_SEQ_CST) == Make(0, -1ul));
  assert(__atomic_fetch_or(&shared, Make(4, 0), __ATOMIC_SEQ_CST) == Make(1, 1));
  assert(__atomic_fetch_and(&shared, Make(4, 1), __ATOMIC_SEQ_CST) == Make(5, 1));
  assert(__atomic_fetch_xor(&shared, Make(4, 1), __ATOMIC_SEQ_CST) == Make(4, 1));
  __atomic_store_n(&shared, Make(9, 9), __ATOMIC_RELEASE);
  assert(shared == Make(9, 9));
}
