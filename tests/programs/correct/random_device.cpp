// Randomness is the same in every execution, so that a schedule means the same thing again.
// heddle: check --verify-determinism
// expect: verdict=clean complete=true executions>=2
// No number of graphs is stated: how many updates there are depends on what the random numbers of this version of
// heddle are.
#include <sys/random.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <random>
#include <thread>

static std::atomic<unsigned> x{0};

int main() {
  unsigned bytes = 0;
  assert(getrandom(&bytes, sizeof bytes, 0) == sizeof bytes);
  std::mt19937 engine(std::random_device{}());
  unsigned rounds = (bytes ^ engine() ^ getpid()) % 3 + 1;  // how much happens depends on it
  auto add = [rounds] {
    for (unsigned i = 0; i < rounds; i++) x++;
  };
  std::thread first(add), second(add);
  first.join();
  second.join();
  assert(x == 2 * rounds);
}
