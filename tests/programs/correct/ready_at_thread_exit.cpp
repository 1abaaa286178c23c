// A value that is set at the end of its thread: the C++ library's own code says that it is there.
// heddle: check --memory-model sc
// expect: verdict=clean complete=true outcomes=3
// heddle: check
// expect: verdict=clean complete=true
// The same: who waits has seen all that the thread did before.
// heddle: check --reduction optimal
// expect: verdict=clean complete=true outcomes=3
// std: c++17
#include <heddle.h>

#include <future>
#include <thread>

int main() {
  int beside = 0;
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread thread([&] {
    beside = 1;
    promise.set_value_at_thread_exit(2);
  });
  const int value = future.get();
  heddle_outcome("%d", value + beside);
  thread.join();
}
