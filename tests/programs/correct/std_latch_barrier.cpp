// std::latch and std::barrier with a completion function, as libstdc++ built them on futexes.
// compilers: gcc clang   std: c++20
// heddle: check --bound preemptions=1
// expect: verdict=clean
// No number of graphs is stated: the operations are those that libstdc++ makes inside; they leave more than 10,000.
#include <barrier>
#include <cassert>
#include <latch>
#include <thread>

static int written[2], phases;

static void Complete() noexcept { phases++; }

static std::latch start(2);
static std::barrier barrier(2, Complete);

static void Run(int me) {
  start.arrive_and_wait();
  written[me] = 1;
  barrier.arrive_and_wait();
  assert(phases == 1 && written[1 - me] == 1);
  barrier.arrive_and_drop();
}

int main() {
  std::thread first(Run, 0), second(Run, 1);
  first.join();
  second.join();
  assert(start.try_wait() && phases == 2);
}
