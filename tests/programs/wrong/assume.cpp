// What others do before a failed assumption takes effect is real: the assertion of b fails after the store of a, whose
// assumption then fails. An execution is dropped if the assumption takes effect first.
// heddle: check --keep-going
// expect: verdict=bug complete=true bugs=1 kind=assertion
// heddle: check --keep-going --order depth-first --reduction none
// expect: verdict=bug complete=true bugs=1 kind=assertion
// One execution is not dropped: b's load comes after the store, and its assertion fails before a's assumption does.
// traces: 1 --keep-going
#include <heddle.h>
#include <atomic>
#include <thread>
#include <cassert>
static std::atomic<int> x{0};
int main() {
  std::thread a([] { x.store(1); heddle_assume(x.load(std::memory_order_relaxed) == 0); });
  std::thread b([] { assert(x.load() == 0); });
  a.join(); b.join();
}
