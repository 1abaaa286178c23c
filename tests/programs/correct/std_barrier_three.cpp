// Three threads and one round of a std::barrier, as libstdc++ 12 builds it: std_latch_three.cpp says of what.
// compilers: gcc   std: c++20   opt: -O1 -O2
// heddle: check --reduction optimal --order depth-first
// expect: verdict=clean complete=true redundant=0 executions=768
#include <barrier>
#include <cassert>
#include <thread>

static std::barrier<> barrier(3);
static int written[3];

static void Run(int me) {
  written[me] = 1;
  barrier.arrive_and_wait();
  assert(written[0] == 1 && written[1] == 1 && written[2] == 1);
}

int main() {
  std::thread first(Run, 0), second(Run, 1);
  Run(2);
  first.join();
  second.join();
}
