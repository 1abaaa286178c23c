// Ten workers claim jobs from a board: a job is claimed by a load that sees it free and a store of the own number. After that they work through a
// common log under a lock, several times. Only a job that is claimed by three workers at once overwhelms the retry that was built in.
// Interleaving: two preemptions within the claims, before a long tail of lock operations in which everything depends on everything.
// bug: preemptions=2 threads=7
// heddle: check --order random --seed 1 --no-minimise
// expect: verdict=bug kind=assertion
// fixed: check --order random --executions 2000
// expect: verdict=incomplete bugs=0
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

static constexpr int kWorkers = 6, kJobs = 2, kLines = 2;
static std::atomic<int> claimed[kJobs], claims[kJobs];
static std::mutex log_mutex;
static int lines;

static void Work(int self) {
  for (int job = 0; job < kJobs; job++) {
#ifdef FIXED
    int none = 0;
    if (!claimed[job].compare_exchange_strong(none, self + 1)) continue;
#else
    if (claimed[job]) continue;
    claimed[job] = self + 1;
#endif
    assert(++claims[job] < 3);
    break;
  }
  for (int line = 0; line < kLines; line++) {
    std::lock_guard<std::mutex> guard(log_mutex);
    lines++;
  }
}

int main() {
  std::thread workers[kWorkers];
  for (int i = 0; i < kWorkers; i++) workers[i] = std::thread(Work, i);
  for (auto &worker : workers) worker.join();
}
