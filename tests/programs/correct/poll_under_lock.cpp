// Polling under a lock, with and without sleeping in between, ends: who repeats itself lets others go first.
// heddle: check --bound preemptions=2
// expect: verdict=clean complete=true happens_before=147
// heddle: check --bound preemptions=2 --reduction none
// expect: verdict=clean complete=true happens_before=147
// No number of graphs is stated: there is one for every number of rounds that each poller makes
// (docs/algorithms/dpor_rules.md says which are left out).
#include <chrono>
#include <mutex>
#include <queue>
#include <thread>

static std::mutex mutex;
static std::queue<int> queue;

static bool TryPop(int &item) {
  std::lock_guard<std::mutex> guard(mutex);
  if (queue.empty()) return false;
  item = queue.front();
  queue.pop();
  return true;
}

static void Put(int item) {
  std::lock_guard<std::mutex> guard(mutex);
  queue.push(item);
}

int main() {
  std::thread busy([] {
    int item;
    while (!TryPop(item)) {
    }
  });
  std::thread patient([] {
    int item;
    while (!TryPop(item)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  Put(1);
  Put(2);
  busy.join();
  patient.join();
}
