// A promise and its future, by hand. `Set` stores the value and looks at a flag that says whether anybody waits; `Get` looks for the
// value, then raises the flag and waits.
// Interleaving: the consumer sees no value; the producer stores it, sees nobody waiting and does not signal; the consumer raises
// the flag and sleeps for ever. Six stages are chained by such futures; any link may break.
// bug: preemptions=1 threads=5
// heddle: check
// expect: verdict=bug kind=deadlock
// fixed: check
// expect: verdict=clean complete=true
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

class Future {
 public:
  void Set(int value) {
    value_ = value;
    ready_ = true;
    if (waits_) {
      std::lock_guard<std::mutex> guard(mutex_);
      changed_.notify_one();
    }
  }
  int Get() {
#ifdef FIXED
    std::unique_lock<std::mutex> lock(mutex_);
    waits_ = true;
    changed_.wait(lock, [this] { return bool(ready_); });
#else
    if (!ready_) {
      std::unique_lock<std::mutex> lock(mutex_);
      waits_ = true;
      changed_.wait(lock);
    }
#endif
    return value_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<bool> ready_{false}, waits_{false};
  std::atomic<int> value_{0};
};

int main() {
  constexpr int kStages = 4;
  std::vector<Future> links(kStages + 1);
  std::vector<std::thread> stages;
  for (int i = 0; i < kStages; i++)
    stages.emplace_back([&links, i] { links[i + 1].Set(links[i].Get() + 1); });
  links[0].Set(0);
  assert(links[kStages].Get() == kStages);
  for (auto &stage : stages) stage.join();
}
