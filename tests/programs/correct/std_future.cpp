// promise and future, packaged_task, async in both policies, shared_future, and an exception
// through a future.
// compilers: gcc clang
// heddle: check --bound preemptions=1
// expect: verdict=clean
// No number of graphs is stated: the operations are those that libstdc++ makes inside.
#include <cassert>
#include <future>
#include <stdexcept>
#include <thread>

int main() {
  std::promise<int> promise;
  auto value = promise.get_future();
  std::thread setter([&] { promise.set_value(7); });
  assert(value.get() == 7);
  setter.join();

  std::packaged_task<int(int)> task([](int x) { return x + 1; });
  auto result = task.get_future().share();
  std::thread runner(std::move(task), 1);
  assert(result.get() == 2);
  runner.join();

  auto lazy = std::async(std::launch::deferred, [] { return 3; });
  auto eager = std::async(std::launch::async, []() -> int { throw std::runtime_error("thrown"); });
  assert(lazy.get() == 3);
  try {
    eager.get();
    assert(false);
  } catch (const std::runtime_error &) {
  }
}
