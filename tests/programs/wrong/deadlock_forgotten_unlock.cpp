// An early return leaves the mutex locked; the next thread waits for ever.
// heddle: check
// expect: verdict=bug kind=deadlock preemptions=0
// Graphs: who locks first, 2.
// traces: 2 enumerated --keep-going
#include <mutex>
#include <thread>

static std::mutex mutex;

static void Visit(bool leave_early) {
  mutex.lock();
  if (leave_early) return;
  mutex.unlock();
}

int main() {
  std::thread first(Visit, true), second(Visit, false);
  first.join();
  second.join();
}
