// boost_queue THREADS ITEMS: Boost.Lockfree's queue, as queue_threads.h uses it.
#include <boost/lockfree/queue.hpp>

#include "queue_threads.h"

int main(int argc, char** argv) {
  boost::lockfree::queue<int, boost::lockfree::capacity<16>> queue;
  int taken;
  return RunQueue(
      argc, argv, [&](int i) { queue.push(i); }, [&] { queue.pop(taken); });
}
