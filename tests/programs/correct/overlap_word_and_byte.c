// A word and one of its bytes, both atomic (as in the kernel's qspinlock): the load of the word sees
// the store to the byte, or comes before it. Another byte of the word is nobody's business: its
// store conflicts with the load only.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check --order depth-first
// expect: verdict=clean complete=true happens_before=4 outcomes=0,100,10000,10100
// traces: 4 enumerated
// traces: 4 enumerated --points all
#include <heddle.h>
#include <stdint.h>

#include "run_threads.h"

static union {
  uint32_t word;
  uint8_t bytes[4];
} u;
static uint32_t seen;

static void *StoreByte(void *arg) {
  __atomic_store_n(&u.bytes[(long)arg + 1], 1, __ATOMIC_SEQ_CST);
  return 0;
}

static void *LoadWord(void *arg) {
  (void)arg;
  seen = __atomic_load_n(&u.word, __ATOMIC_SEQ_CST);
  return 0;
}

int main() {
  RunThreads(3, (Body[]){StoreByte, StoreByte, LoadWord});
  assert(u.word == 0x10100);
  heddle_outcome("%x", seen);
}
