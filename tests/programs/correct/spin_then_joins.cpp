// A loop that waits, and a join after it: no call of the loop's. Looks in vain are no steps: 1.
// heddle: check
// expect: verdict=clean complete=true executions=1
// heddle: check --reduction none
// expect: verdict=clean complete=true happens_before=1
#include <atomic>
#include <thread>

int main() {
  std::atomic<int> refs{1};
  std::thread thread([&] { --refs; });
  while (refs.load() != 0) std::this_thread::yield();
  thread.join();
}
