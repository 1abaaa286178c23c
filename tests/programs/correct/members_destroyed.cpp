// An object with a mutex and a condition variable as members, made and destroyed by main, which joins the threads that
// use it: as many executions as graphs.
// heddle: check
// expect: verdict=clean complete=true redundant=0
// The mutex orders all. If one of the two that put comes first, the other one and the taker follow in either order: 4.
// If the taker comes first, it waits; one puts, and then the other one and the taker follow in either order: 4.
// traces: 8 enumerated
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

class Box {
 public:
  void Put() {
    const std::lock_guard lock(mutex_);
    ++count_;
    changed_.notify_one();
  }
  void Take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return count_ > 0; });
    --count_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int count_ = 0;
};

}  // namespace

int main() {
  Box box;
  std::thread taker([&] { box.Take(); });
  std::thread first([&] { box.Put(); });
  std::thread second([&] { box.Put(); });
  taker.join();
  first.join();
  second.join();
}
