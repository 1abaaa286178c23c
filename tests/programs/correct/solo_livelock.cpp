// A thread that is alone counts rounds in a plain variable while it spins: it leaves the loop, so it is no livelock.
// heddle: check
// expect: verdict=clean complete=true executions=1
// One thread: 1 execution.
// traces: 1 enumerated
#include <atomic>
#include <thread>

static std::atomic<int> x;
static int rounds;

__attribute__((noinline)) static bool Step() { return ++rounds == 100; }

int main() {
  while (x.load() == 0) {
    if (Step()) break;
  }
  std::thread thread([] {});
  thread.join();
}
