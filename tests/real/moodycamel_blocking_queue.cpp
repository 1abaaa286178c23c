// moodycamel::BlockingConcurrentQueue as Debian ships it, not changed: its semaphore spins for 10,000 rounds before it blocks.
// A compare-exchange in a round may fail, and then the rounds may run out, so it is not proved that their number does not
// matter: they are explored up to --idle-rounds, and that is said.
// compilers: gcc clang   std: c++17
// heddle: check --reduction optimal --leaks --uninitialised
// expect: verdict=incomplete complete=false redundant=0 stdout~"explored up to 16 rounds"
#include <concurrentqueue/blockingconcurrentqueue.h>

#include <cassert>
#include <thread>

int main() {
  moodycamel::BlockingConcurrentQueue<int> queue(2);
  std::thread producer([&] { queue.enqueue(1); });
  int item = 0;
  queue.wait_dequeue(item);
  assert(item == 1);
  producer.join();
}
