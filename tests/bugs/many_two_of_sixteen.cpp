// A scheduler's run queue in four buckets with a lock each, and sixteen threads that come twice. Two of them, 2 and 9, update the same statistics cell
// under different locks, by load and store; the others only make work for the search.
// Interleaving: 2 and 9 between load and store of each other. One preemption, near the begin of long executions.
// bug: preemptions=1 threads=17
// heddle: check --order random --seed 1 --no-minimise
// expect: verdict=bug kind=assertion
// fixed: check --order random --executions 1000
// expect: verdict=incomplete bugs=0
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

static constexpr int kThreads = 16;
static std::mutex bucket[4], stats[2];
static std::atomic<int> cell;
static int length[4];

static void Visit(int self) {
  for (int round = 0; round < 2; round++) {
    if (round == 0 && (self == 2 || self == 9)) {
#ifdef FIXED
      std::lock_guard<std::mutex> guard(stats[0]);
#else
      std::lock_guard<std::mutex> guard(stats[self == 9]);
#endif
      int old = cell;
      cell = old + 1;
    }
    std::lock_guard<std::mutex> guard(bucket[(self + round) % 4]);
    length[(self + round) % 4]++;
  }
}

int main() {
  std::thread threads[kThreads];
  for (int i = 0; i < kThreads; i++) threads[i] = std::thread(Visit, i);
  for (auto &thread : threads) thread.join();
  assert(cell == 2);
}
