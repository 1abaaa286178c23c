// What a compare-exchange turns out to be in another order, when others access parts of its object,
// or it a part of theirs. A: compare-exchange of byte 0, which is 0 in every order, so it is a write.
// F: fetch-or of 256 to the word, then a load of it. L: a load of the word.
//   A before F: L has 3 places among the two writes, and the load after F has 1;
//   F before A: L has 3 places, the other load is before or after A.
// So there are 3 + 6 traces.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check --order depth-first
// expect: verdict=clean complete=true happens_before=9
// traces: 9 enumerated
#include <heddle.h>

#include <cstdint>
#include <thread>

static uint32_t word;

int main() {
  int a = 0;
  uint32_t b = 0, c = 0;
  std::thread t1([&] {
    uint8_t expected = 0;
    a = __atomic_compare_exchange_n(reinterpret_cast<uint8_t *>(&word), &expected, 2, false,
                                    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  });
  std::thread t2([&] { b = __atomic_load_n(&word, __ATOMIC_SEQ_CST); });
  std::thread t3([&] {
    __atomic_fetch_or(&word, 256, __ATOMIC_SEQ_CST);
    c = __atomic_load_n(&word, __ATOMIC_SEQ_CST);
  });
  t1.join();
  t2.join();
  t3.join();
  heddle_outcome("%d %x %x", a, b, c);
}
