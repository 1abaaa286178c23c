// moodycamel::BlockingConcurrentQueue as Debian ships it, not changed: its semaphore spins for 10,000 rounds before it blocks.
// One item from one thread to another is explored completely.
// compilers: gcc clang   std: c++17
// heddle: check --reduction optimal
// expect: verdict=clean complete=true redundant=0
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
