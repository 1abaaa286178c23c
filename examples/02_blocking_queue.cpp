// A bounded blocking queue with one mistake in four lines: `if` where `while` belongs, so a
// consumer that was overtaken on its way out of wait() takes from an empty queue.
//
// heddle: check
// expect: verdict=bug kind=assertion location=@empty
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

class Queue {
 public:
  void Put(int item) {
    std::unique_lock<std::mutex> lock(mutex_);
    items_.push_back(item);
    not_empty_.notify_one();
  }

  int Get() {
    std::unique_lock<std::mutex> lock(mutex_);
    if (items_.empty()) not_empty_.wait(lock);
    assert(!items_.empty());  // @empty
    int item = items_.front();
    items_.pop_front();
    return item;
  }

 private:
  std::mutex mutex_;
  std::condition_variable not_empty_;
  std::deque<int> items_;
};

int main() {
  Queue queue;
  std::thread first([&] { queue.Get(); });
  std::thread second([&] { queue.Get(); });
  queue.Put(1);
  queue.Put(2);
  first.join();
  second.join();
}
