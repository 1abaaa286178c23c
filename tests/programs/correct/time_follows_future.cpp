// Virtual time follows futures, promises and once_call: what they order, the clocks agree with.
// heddle: check --memory-model sc
// expect: verdict=clean complete=true
// heddle: check
// expect: verdict=incomplete bugs=0
// heddle: check --bound preemptions=2
// expect: verdict=clean
// No number of graphs is stated: the operations are those that libstdc++ makes inside.
#include <cassert>
#include <chrono>
#include <future>
#include <mutex>
#include <thread>

using Clock = std::chrono::steady_clock;
using std::chrono::seconds;

int main() {
  const auto began = Clock::now();
  std::promise<Clock::time_point> promise;
  auto future = promise.get_future();
  std::thread setter([&] {
    std::this_thread::sleep_for(seconds(1));
    promise.set_value(Clock::now());
  });
  const auto stamp = future.get();
  assert(Clock::now() >= stamp);
  assert(stamp >= began + seconds(1));
  setter.join();

  std::once_flag once;
  Clock::time_point made;
  const auto make = [&] {
    std::this_thread::sleep_for(seconds(1));
    made = Clock::now();
  };
  std::thread other([&] {
    std::call_once(once, make);
    assert(Clock::now() >= made);
  });
  std::call_once(once, make);
  assert(Clock::now() >= made);
  other.join();
}
