// What cannot tell the end of a thread from its last operation, with and without ends that are steps (--points every makes
// everything one): the outcomes and endings are the same (docs/decisions/0003).
// heddle: check
// expect: verdict=clean complete=true outcomes=01,10,11
// heddle: check --points every
// expect: verdict=clean complete=true outcomes=01,10,11
// opt: -O1
// Graphs: only one of the two loads comes after the other's store, 2; or both do, and then the additions come in two
// orders. 4.
// traces: 4 enumerated
#include <heddle.h>

#include <atomic>
#include <thread>

int main() {
  static std::atomic<int> x{0}, y{0}, seen{0};
  std::thread a([] {
    x.store(1);
    if (y.load() != 0) seen += 10;
  });
  std::thread b([] {
    y.store(1);
    if (x.load() != 0) seen += 1;
  });
  a.join();
  b.join();
  heddle_outcome("%02d", seen.load());
}
