// A thread pool whose destructor sets `stop` and notifies, without the lock.
// Interleaving: a worker has found no task and no `stop`, and holds the lock; `stop` is set and notified; the worker then waits, for ever. Three
// workers and three tasks.
// bug: preemptions=2 threads=4
// heddle: check
// expect: verdict=bug kind=deadlock
// fixed: check --order random --executions 2000
// expect: verdict=incomplete bugs=0
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

class Pool {
 public:
  explicit Pool(int threads) {
    for (int i = 0; i < threads; i++) workers_.emplace_back([this] { Work(); });
  }
  ~Pool() {
    {
#ifdef FIXED
      std::lock_guard<std::mutex> guard(mutex_);
#endif
      stop_ = true;
    }
    changed_.notify_all();
    for (auto &worker : workers_) worker.join();
  }
  void Submit(std::function<void()> task) {
    std::lock_guard<std::mutex> guard(mutex_);
    tasks_.push_back(std::move(task));
    changed_.notify_one();
  }

 private:
  void Work() {
    for (;;) {
      std::function<void()> task;
      {
        std::unique_lock<std::mutex> lock(mutex_);
        while (tasks_.empty()) {
          if (stop_) return;
          changed_.wait(lock);
        }
        task = std::move(tasks_.front());
        tasks_.pop_front();
      }
      task();
    }
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  std::atomic<bool> stop_{false};
  std::vector<std::thread> workers_;
};

int main() {
  std::atomic<int> done{0};
  {
    Pool pool(3);
    for (int i = 0; i < 3; i++) pool.Submit([&] { done++; });
  }
  assert(done == 3);
}
