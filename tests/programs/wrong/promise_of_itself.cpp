// A thread waits for a promise that only it could set: told as a future, not as the futex in it.
// heddle: check
// expect: verdict=bug kind=deadlock location=@wait message~"T1 waits at promise_of_itself.cpp:"
// expect: message~" for a future, and nobody is left to set its promise" step="waits for a future"
#include <future>
#include <thread>

int main() {
  std::promise<int> promise;
  std::thread thread([&] {
    promise.get_future().wait();  // @wait
    promise.set_value(1);
  });
  thread.join();
}
