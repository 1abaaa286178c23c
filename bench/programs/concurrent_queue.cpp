// moodycamel::ConcurrentQueue with three threads, two that put something in and one that takes it
// out: about 240 atomic operations in an execution.
#include <concurrentqueue/concurrentqueue.h>

#include <thread>

int main() {
  moodycamel::ConcurrentQueue<int> queue(32);
  auto put = [&](int value) {
    for (int i = 0; i < 2; ++i) queue.enqueue(value + i);
  };
  std::thread first(put, 1);
  std::thread second(put, 3);
  std::thread third([&] {
    int taken;
    for (int i = 0; i < 2; ++i) queue.try_dequeue(taken);
  });
  first.join();
  second.join();
  third.join();
  return 0;
}
