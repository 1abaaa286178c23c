// std::condition_variable with a predicate, wait_for, notify_all, and condition_variable_any
// over a shared_mutex.
// compilers: gcc clang
// heddle: check --bound preemptions=2
// expect: verdict=clean
// No number of graphs is stated: the operations are those that libstdc++ makes inside.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static std::shared_mutex any_mutex;
static std::condition_variable_any any_changed;
static bool ready, any_ready;

static void Set() {
  {
    std::lock_guard guard(mutex);
    ready = true;
  }
  changed.notify_all();
  {
    std::lock_guard guard(any_mutex);
    any_ready = true;
  }
  any_changed.notify_one();
}

static void Wait() {
  std::unique_lock lock(mutex);
  if (!changed.wait_for(lock, std::chrono::seconds(1), [] { return ready; }))
    changed.wait(lock, [] { return ready; });
  lock.unlock();
  std::shared_lock any_lock(any_mutex);
  any_changed.wait(any_lock, [] { return any_ready; });
}

int main() {
  std::thread setter(Set), waiter(Wait);
  setter.join();
  waiter.join();
  assert(ready && any_ready);
}
