// moodycamel_queue THREADS ITEMS: moodycamel::ConcurrentQueue, as queue_threads.h uses it.
#include <concurrentqueue/concurrentqueue.h>

#include "queue_threads.h"

int main(int argc, char** argv) {
  moodycamel::ConcurrentQueue<int> queue(32);
  int taken;
  return RunQueue(
      argc, argv, [&](int i) { queue.enqueue(i); }, [&] { queue.try_dequeue(taken); });
}
