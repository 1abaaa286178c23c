// The C++ library makes its primitives without a call, and on a stack that held others before.
// compilers: gcc clang
// opt: -O0 -O2
// heddle: check
// expect: verdict=clean complete=true warnings=0
// heddle: check --strict
// expect: verdict=clean complete=true warnings=0
// Graphs: three times main locks first and waits, or does not have to: 2^3 = 8.
// traces: 8
#include <condition_variable>
#include <memory>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <thread>

template <typename Mutex>
static void Use() {
  Mutex on_stack;
  on_stack.lock();
  on_stack.unlock();
  auto on_heap = std::make_unique<Mutex>();
  for (int i = 0; i < 2; ++i) {
    on_heap->lock();
    on_heap->unlock();
    on_heap->~Mutex();
    new (on_heap.get()) Mutex;
  }
}

template <typename Condition>
static void UseCondition() {
  std::mutex mutex;
  Condition changed;
  bool ready = false;
  std::thread thread([&] {
    std::lock_guard guard(mutex);
    ready = true;
    changed.notify_one();
  });
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return ready; });
  }
  thread.join();
}

static std::recursive_mutex global;
static std::condition_variable global_changed;

int main() {
  for (int i = 0; i < 2; ++i) {
    Use<std::mutex>();
    Use<std::recursive_mutex>();
    Use<std::timed_mutex>();
    Use<std::recursive_timed_mutex>();
    Use<std::shared_mutex>();
    Use<std::shared_timed_mutex>();
    UseCondition<std::condition_variable>();
  }
  UseCondition<std::condition_variable_any>();
  std::lock_guard guard(global);
  global_changed.notify_all();
}
