// Time limits that pass when nothing else can run, the earliest first. A thread looks every 50 ms at what is set after 510 ms; whether it
// has seen it after 530 ms depends on when its rounds begin, also those that change nothing. So it is not told that main never comes first.
// compilers: gcc clang
// std: c++20
// opt: -O1 -O2
// heddle: check --timeouts last
// expect: verdict=incomplete incomplete=time-of-rounds
// heddle: check --timeouts last --reduction none --executions 20
// expect: bugs=0 complete=false
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

namespace {

std::mutex mutex, other_mutex, third_mutex;
std::condition_variable never, neither, nor;
bool set = false;
std::atomic<bool> seen{false};

}  // namespace

int main() {
  std::thread looks([] {
    std::unique_lock lock(mutex);
    while (!set) never.wait_for(lock, 50ms);
    seen = true;
  });
  std::thread sets([] {
    {
      std::unique_lock lock(other_mutex);
      neither.wait_for(lock, 510ms);
    }
    std::lock_guard lock(mutex);
    set = true;
  });
  {
    std::unique_lock lock(third_mutex);
    nor.wait_for(lock, 530ms);
  }
  const bool early = seen;
  static_cast<void>(early);
  looks.join();
  sets.join();
}
