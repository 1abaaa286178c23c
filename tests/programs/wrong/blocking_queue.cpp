// A bounded blocking queue whose put and get wait with `if`. With two getters, one is overtaken
// on its way out of wait and takes from an empty queue.
// compilers: gcc clang   std: c++11 c++17 c++20
// heddle: check
// expect: verdict=bug kind=assertion location=@empty
// Graphs: traces.py derives 40.
// traces: 40 --keep-going
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

class Queue {
 public:
  void Put(int item) {
    std::unique_lock<std::mutex> lock(mutex_);
    if (items_.size() == 1) changed_.wait(lock);
    items_.push_back(item);
    changed_.notify_all();
  }

  int Get() {
    std::unique_lock<std::mutex> lock(mutex_);
    if (items_.empty()) changed_.wait(lock);
    assert(!items_.empty());  // @empty
    int item = items_.front();
    items_.pop_front();
    changed_.notify_all();
    return item;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<int> items_;
};

static Queue queue;

int main() {
  std::thread first([] { queue.Get(); }), second([] { queue.Get(); });
  std::thread producer([] {
    queue.Put(1);
    queue.Put(2);
  });
  first.join();
  second.join();
  producer.join();
}
