// A permit of one unit, as java.util.concurrent's LockSupport has: who finds it takes it without the lock. By C11's memory model
// the flag may be read as it was before the owner's last Unpark(), whose permit is taken all the same. The report has the store
// that takes it, though nobody else reads that: its cycle names it, and the thread waits because of it.
// heddle: check
// expect: verdict=bug kind=deadlock stdout~"  | stores parker.permit_: 0, relaxed" stdout~"left out: "
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

class Parker {
 public:
  void Park() {
    if (permit_.load(std::memory_order_relaxed) > 0) {
      permit_.store(0, std::memory_order_relaxed);
      return;
    }
    std::unique_lock<std::mutex> lock(mutex_);
    while (permit_.load(std::memory_order_relaxed) == 0) changed_.wait(lock);
    permit_.store(0, std::memory_order_relaxed);
  }
  void Unpark() {
    std::unique_lock<std::mutex> lock(mutex_);
    int before = permit_.load(std::memory_order_relaxed);
    permit_.store(1, std::memory_order_relaxed);
    if (before == 0) changed_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<int> permit_{0};
};

static Parker parker;
static std::atomic<bool> lock_free_now{false};

static void Waiter() {
  while (!lock_free_now.load(std::memory_order_acquire)) parker.Park();
}

static void Owner() {
  parker.Unpark();
  lock_free_now.store(true, std::memory_order_release);
  parker.Unpark();
}

int main() {
  std::thread waiter(Waiter), owner(Owner);
  waiter.join(), owner.join();
}
