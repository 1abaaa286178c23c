// C++20 (P0982): a relaxed store ends the release sequence that its own thread heads, so whoever reads 1 is not ordered
// after the release store. Until C++17, and in C, it is (correct/release_own_store.cpp, .c).
// Three executions: the load comes before, between or behind the two stores.
// compilers: gcc clang   std: c++20 gnu++20
// heddle: check --reduction optimal
// expect: verdict=bug kind=data-race location=@write location=@read
// heddle: check --reduction optimal --release-sequences c11
// expect: verdict=clean complete=true executions=3 redundant=0
// traces: 3 enumerated --release-sequences c11
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
