// wait_for on a future: ready or timeout, both found; a broken promise is an exception, not a hang.
// heddle: check --bound preemptions=2
// expect: verdict=clean outcomes=ready,timeout
// No number of graphs is stated: the operations are those that libstdc++ makes inside.
#include <heddle.h>

#include <cassert>
#include <chrono>
#include <future>
#include <thread>

int main() {
  std::promise<void> promise;
  auto done = promise.get_future();
  std::thread setter([&] { promise.set_value(); });
  bool ready = done.wait_for(std::chrono::milliseconds(1)) == std::future_status::ready;
  heddle_outcome(ready ? "ready" : "timeout");
  done.get();
  setter.join();

  std::future<int> orphan;
  std::thread([&orphan] { orphan = std::promise<int>().get_future(); }).join();
  try {
    orphan.get();
    assert(false);
  } catch (const std::future_error &error) {
    assert(error.code() == std::future_errc::broken_promise);
  }
}
