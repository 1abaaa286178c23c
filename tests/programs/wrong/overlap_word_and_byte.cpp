// A thread loads a word before another one stores to a byte of it: two accesses of different
// addresses and sizes, and nothing else, that depend on each other.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check
// expect: verdict=bug kind=assertion preemptions=0 location=@load
// heddle: check --order depth-first --reduction source
// expect: verdict=bug kind=assertion location=@load
// traces: 2 --keep-going
// (Enumeration has 3 graphs: the failed assertion ends the program before the store, too.)
#include <cassert>
#include <cstdint>
#include <thread>

static union {
  uint32_t word;
  uint8_t bytes[4];
} u;

int main() {
  std::thread store([] { __atomic_store_n(&u.bytes[1], 1, __ATOMIC_SEQ_CST); });
  std::thread load([] {
    const uint32_t seen = __atomic_load_n(&u.word, __ATOMIC_SEQ_CST);
    assert(seen != 0);  // @load
  });
  store.join();
  load.join();
}
