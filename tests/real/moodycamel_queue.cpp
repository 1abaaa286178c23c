// moodycamel::ConcurrentQueue as Debian ships it, not changed: two producers and a consumer.
// Whatever is dequeued was enqueued, once, in each producer's order.
// compilers: gcc clang   std: c++17
// heddle: check --bound preemptions=1 --executions 20000
// expect: executions>=100 bugs=0
// heddle: check --order random --executions 3000 --seed 7 --leaks --uninitialised
// expect: verdict=incomplete bugs=0
#include <concurrentqueue/concurrentqueue.h>

#include <cassert>
#include <thread>

int main() {
  moodycamel::ConcurrentQueue<int> queue(8);
  std::thread first([&] {
    queue.enqueue(1);
    queue.enqueue(2);
  });
  std::thread second([&] { queue.enqueue(11); });
  int got = 0, last = 0, seen_other = 0;
  std::thread consumer([&] {
    for (int i = 0; i < 3; i++) {
      int item;
      if (!queue.try_dequeue(item)) continue;
      got++;
      if (item == 11) {
        assert(!seen_other++);
      } else {
        assert(item == last + 1);
        last = item;
      }
    }
  });
  first.join();
  second.join();
  consumer.join();
  for (int item; queue.try_dequeue(item);) got++;
  assert(got == 3);
}
