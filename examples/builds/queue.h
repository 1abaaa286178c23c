// A bounded queue for several threads, and the mistake that the test of this folder finds when NOTIFY_ONE is defined: a
// notification that reaches a thread which has no use for it is lost for the one that waits for it.
#pragma once
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>

class Queue {
 public:
  explicit Queue(std::size_t capacity) : capacity_(capacity) {}

  void Put(int item) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return items_.size() < capacity_; });
    items_.push_back(item);
    Notify();
  }

  int Get() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return !items_.empty(); });
    int item = items_.front();
    items_.pop_front();
    Notify();
    return item;
  }

 private:
  void Notify() {
#ifdef NOTIFY_ONE
    changed_.notify_one();
#else
    changed_.notify_all();
#endif
  }

  std::size_t capacity_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<int> items_;
};
