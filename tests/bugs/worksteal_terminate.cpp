// Workers that take tasks from their own bag, and from others' when theirs is empty. Each counts itself idle when it has
// found nothing, and all stop when all are idle.
// The bug: a worker that steals is still counted idle while it runs the stolen task, which can make new ones.
// Interleaving: worker 1 finds nothing and counts itself idle; worker 0 puts a task into the bag, and goes to its end; 1
// steals the task while it is idle; 0 finds nothing and counts itself idle, so all are: it leaves and so does 1, without
// a look at the task that the stolen one has made.
// bug: preemptions=3 threads=3
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check --order random --executions 2000
// expect: verdict=incomplete bugs=0
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

static constexpr int kWorkers = 2, kTasks = 3;

static std::mutex mutex;
static int bag[kTasks], bagged;
static std::atomic<int> idle, done;

static void Put(int task) {
  std::lock_guard<std::mutex> guard(mutex);
  bag[bagged++] = task;
}

static bool Take(int *task) {
  std::lock_guard<std::mutex> guard(mutex);
  if (bagged == 0) return false;
  *task = bag[--bagged];
  return true;
}

static void Run(int task) {
  if (task > 0) Put(task - 1);
  done++;
}

static void Work() {
  for (;;) {
    int task;
    while (Take(&task)) Run(task);
    idle++;
    for (;;) {
      if (idle == kWorkers) return;
#ifdef FIXED
      idle--;
      if (Take(&task)) {
        Run(task);
        break;
      }
      idle++;
#else
      if (Take(&task)) {
        int workers = idle;
        Run(task);
        if (workers == kWorkers) return;
        idle--;
        break;
      }
#endif
      std::this_thread::yield();
    }
  }
}

int main() {
  Put(kTasks - 1);
  std::thread first(Work), second(Work);
  first.join(), second.join();
  assert(done == kTasks);
}
