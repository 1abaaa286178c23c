// Code that debug information has within something else: lambdas, functions of namespaces, of local classes and of templates; with
// locks that the C++ library's headers take.
#include <condition_variable>
#include <mutex>
#include <thread>

#include "heddle.hpp"

namespace {

std::mutex a, b;
int x;

void Work() {
  std::lock_guard<std::mutex> first(a);
  std::lock_guard<std::mutex> second(b);
  x++;
}

template <typename Mutex>
struct Guarded {
  Mutex mutex;
  int value = 0;
  int Add(int by) {
    std::unique_lock<Mutex> lock(mutex);
    return value += by;
  }
};
Guarded<std::mutex> guarded;

namespace inner {
struct Local {
  void Go() {
    std::lock_guard<std::mutex> lock(a);
    x = 2;
  }
};
}  // namespace inner

}  // namespace

int main() {
  struct OfMain {
    static void Run(int *number) {
      std::lock_guard<std::mutex> lock(b);
      ++*number;
    }
  };
  int number = 0;
  std::thread one([&] {
    std::unique_lock<std::mutex> lock(b);
    std::lock_guard<std::mutex> other(a);
    number = guarded.Add(1);
  });
  inner::Local().Go();
  Work();
  std::thread two(OfMain::Run, &number);
  one.join();
  two.join();
  const heddle::Report report = heddle::Check([&] {
    std::thread thread([&] {
      std::lock_guard<std::mutex> lock(a);
      x++;
    });
    a.lock();
    x = 1;
    a.unlock();
    thread.join();
  });
  return report.FoundBug() ? 1 : 0;
}
