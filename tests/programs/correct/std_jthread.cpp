// jthread joins by itself; a stop request wakes an interruptible wait and runs the stop callback
// once.
// compilers: gcc clang   std: c++20
// heddle: check --bound preemptions=1
// expect: verdict=clean
// No number of graphs is stated: the operations are those that libstdc++ makes inside.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable_any changed;
static std::atomic<int> callbacks{0};
static bool stopped;

int main() {
  {
    std::jthread worker([](std::stop_token stop) {
      std::stop_callback callback(stop, [] { callbacks++; });
      std::unique_lock lock(mutex);
      changed.wait(lock, stop, [] { return false; });
      stopped = stop.stop_requested();
    });
  }
  assert(stopped && callbacks <= 1);
}
