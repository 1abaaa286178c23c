// A subject copies its list of observers and calls them without the lock, so that they may unsubscribe themselves. An observer that is
// unsubscribed by another thread, and destroyed, can still be called.
// Interleaving: the subject has copied the list; the observer is unsubscribed and destroyed; the subject calls it.
// Right: who unsubscribes waits until no notification is under way.
// bug: preemptions=1 threads=4
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check
// expect: verdict=clean complete=true
#include <algorithm>
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

struct Observer {
  std::atomic<bool> alive{true};
  std::atomic<int> calls{0};
  void Notify() {
    assert(alive);
    calls++;
  }
};

class Subject {
 public:
  void Subscribe(Observer *observer) {
    std::lock_guard<std::mutex> guard(mutex_);
    observers_.push_back(observer);
  }
  void Unsubscribe(Observer *observer) {
    std::unique_lock<std::mutex> lock(mutex_);
    observers_.erase(std::find(observers_.begin(), observers_.end(), observer));
#ifdef FIXED
    idle_.wait(lock, [this] { return notifying_ == 0; });
#endif
  }
  void Notify() {
    std::vector<Observer *> copy;
    {
      std::lock_guard<std::mutex> guard(mutex_);
      copy = observers_;
      notifying_++;
    }
    for (Observer *observer : copy) observer->Notify();
    std::lock_guard<std::mutex> guard(mutex_);
    if (--notifying_ == 0) idle_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable idle_;
  std::vector<Observer *> observers_;
  int notifying_ = 0;
};

int main() {
  Subject subject;
  Observer observers[3];
  for (auto &observer : observers) subject.Subscribe(&observer);
  auto remove = [&](int i) {
    subject.Unsubscribe(&observers[i]);
    observers[i].alive = false;
  };
  std::thread first(remove, 0), last(remove, 2);
  std::thread notifier([&] { subject.Notify(), subject.Notify(); });
  first.join(), last.join(), notifier.join();
}
