// boost_queue THREADS ITEMS: each thread but the first pushes ITEMS to a Boost.Lockfree queue, the first tries to pop as
// many as all others together push.
#include <boost/lockfree/queue.hpp>
#include <cstdlib>
#include <thread>
#include <vector>

int main(int argc, char** argv) {
  if (argc != 3) return 1;
  const int threads = std::atoi(argv[1]);
  const int items = std::atoi(argv[2]);
  boost::lockfree::queue<int, boost::lockfree::capacity<16>> queue;
  std::vector<std::thread> all;
  all.emplace_back([&] {
    int taken;
    for (int i = 0; i < items * (threads - 1); ++i) queue.pop(taken);
  });
  for (int t = 1; t < threads; ++t) {
    all.emplace_back([&] {
      for (int i = 0; i < items; ++i) queue.push(i);
    });
  }
  for (std::thread& thread : all) thread.join();
}
