// Three threads on one std::latch, as libstdc++ 12 builds it: a count of who waits that is added to and subtracted from
// (these commute), 16 looks that are one step, and a futex.
// compilers: gcc   std: c++20   opt: -O1 -O2
// heddle: check --reduction optimal --order depth-first
// expect: verdict=clean complete=true redundant=0 executions=528
#include <cassert>
#include <latch>
#include <thread>

static std::latch latch(2);
static int written[2];

int main() {
  const auto run = [](int me) {
    written[me] = 1;
    latch.arrive_and_wait();
    assert(written[1 - me] == 1);
  };
  std::thread first(run, 0), second(run, 1);
  latch.wait();
  assert(written[0] == 1 && written[1] == 1);
  first.join();
  second.join();
}
