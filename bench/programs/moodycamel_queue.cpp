// moodycamel_queue THREADS ITEMS: each thread but the first puts ITEMS into a moodycamel::ConcurrentQueue, the first tries
// to take one out as often as all others together put one in.
#include <concurrentqueue/concurrentqueue.h>

#include <cstdlib>
#include <thread>
#include <vector>

int main(int argc, char** argv) {
  if (argc != 3) return 1;
  const int threads = std::atoi(argv[1]);
  const int items = std::atoi(argv[2]);
  moodycamel::ConcurrentQueue<int> queue(32);
  std::vector<std::thread> all;
  all.emplace_back([&] {
    int taken;
    for (int i = 0; i < items * (threads - 1); ++i) queue.try_dequeue(taken);
  });
  for (int t = 1; t < threads; ++t) {
    all.emplace_back([&] {
      for (int i = 0; i < items; ++i) queue.enqueue(i);
    });
  }
  for (std::thread& thread : all) thread.join();
}
