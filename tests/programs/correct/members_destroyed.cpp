// An object with a mutex and a condition variable as members, made and destroyed by main, which joins the threads that
// use it: as many executions as graphs.
// heddle: check --reduction optimal
// expect: verdict=clean complete=true redundant=0
// The mutex orders all. If one of the two that put comes first, the other one and the taker follow in either order: 4.
// If the taker comes first, it waits; one puts, and then the other one and the taker follow in either order: 4.
// traces: 8 enumerated
// With an argument each thread has an object of its own: nothing that two threads do conflicts while both run, so there is
// one graph, and one execution.
// heddle: check --reduction optimal -- apart
// expect: verdict=clean complete=true executions=1 redundant=0
// long traces: 1 enumerated -- apart
#include <array>
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

void UseOneBox() {
  Box box;
  std::thread taker([&] { box.Take(); });
  std::thread first([&] { box.Put(); });
  std::thread second([&] { box.Put(); });
  taker.join();
  first.join();
  second.join();
}

void UseABoxEach() {
  std::array<Box, 3> boxes;
  std::array<std::thread, 3> threads;
  for (size_t i = 0; i < threads.size(); ++i) {
    threads[i] = std::thread([&box = boxes[i]] {
      box.Put();
      box.Take();
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

int main(int argc, char**) {
  if (argc > 1)
    UseABoxEach();
  else
    UseOneBox();
}
