// Until C++17 a relaxed store continues the release sequence that its own thread heads, as in C
// (wrong/release_own_store.cpp is the same in C++20). Three executions: the load comes before, between or behind the stores.
// compilers: gcc clang   std: c++11 c++14 gnu++17
// heddle: check --reduction optimal
// expect: verdict=clean complete=true executions=3 redundant=0
// heddle: check --reduction optimal --release-sequences c++20
// expect: verdict=bug kind=data-race location=@write location=@read
// traces: 3 enumerated
#include <atomic>
#include <cassert>
#include <thread>

static int data;
static std::atomic<int> flag;

int main() {
  std::thread publish([] {
    data = 1;  // @write
    flag.store(2, std::memory_order_release);
    flag.store(1, std::memory_order_relaxed);
  });
  std::thread receive([] {
    if (flag.load(std::memory_order_acquire) == 1) assert(data == 1);  // @read
  });
  publish.join();
  receive.join();
}
