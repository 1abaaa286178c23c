// A work-stealing queue whose owner pops without looking at the head again: when one item is
// left, the owner and the thief both get it.
// compilers: gcc clang
// heddle: check
// expect: verdict=bug kind=assertion preemptions=1 location=@twice
// Graphs: traces.py derives 10 executions; an assertion that fails may come before what the other thread still does,
// which makes 14.
// traces: 10 --keep-going
// graphs: 14 --keep-going
#include <atomic>
#include <cassert>
#include <thread>

class Queue {
 public:
  void Push(int item) {
    items_[tail_ % kSize] = item;
    tail_++;
  }
  bool Pop(int *item) {
    int tail = tail_ - 1;
    if (head_ > tail) return false;
    *item = items_[tail % kSize];
    tail_ = tail;  // without a second look at head_
    return true;
  }
  bool Steal(int *item) {
    int head = head_;
    if (head >= tail_) return false;
    *item = items_[head % kSize];
    return head_.compare_exchange_strong(head, head + 1);
  }

 private:
  static constexpr int kSize = 4;
  std::atomic<int> items_[kSize] = {};
  std::atomic<int> head_{0}, tail_{0};
};

static Queue queue;
static std::atomic<int> taken[3];

static void Done(int item) {
  assert(taken[item]++ == 0);  // @twice
}

int main() {
  queue.Push(1);
  queue.Push(2);
  std::thread owner([] {
    for (int item; queue.Pop(&item);) Done(item);
  });
  std::thread thief([] {
    int item;
    if (queue.Steal(&item)) Done(item);
  });
  owner.join();
  thief.join();
}
