// Waits with a time limit until something is set that is never set, or only if others were quick enough: a livelock, proved by its state.
// compilers: gcc clang
// std: c++20
// opt: -O0 -O1 -O2
// heddle: check
// expect: verdict=bug kind=livelock message~"with a time limit, for ever" thread=main
// heddle: check --reduction optimal --timeouts last
// expect: verdict=bug kind=livelock message~"with a time limit, for ever" thread=main
// heddle: check --reduction none
// expect: verdict=bug kind=livelock message~"with a time limit, for ever" thread=main
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
  std::mutex mutex;
  std::condition_variable changed;
  bool ready = false;
  std::atomic<bool> late{false};
  std::thread setter([&] {
    std::lock_guard lock(mutex);
    if (!late) ready = true;
  });
  late = true;
  std::unique_lock lock(mutex);
  while (!ready) changed.wait_for(lock, std::chrono::milliseconds(300));
  lock.unlock();
  setter.join();
}
