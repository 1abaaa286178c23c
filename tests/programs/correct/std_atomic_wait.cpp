// atomic wait and notify, on an int (a futex of its own) and on 8 bytes (the library's table of
// waiters), and atomic_flag.
// compilers: gcc clang   std: c++20
// heddle: check --bound preemptions=1
// expect: verdict=clean
// No number of graphs is stated: the operations are those that libstdc++ makes inside; they leave more than 10,000.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> small{0};
static std::atomic<long> large{0};
static std::atomic_flag flag;
static int data;

static void Notify() {
  data = 9;
  small = 1;
  small.notify_one();
  large.store(1, std::memory_order_release);
  large.notify_all();
  flag.test_and_set();
  flag.notify_all();
}

static void Wait() {
  small.wait(0);
  assert(data == 9);
  large.wait(0, std::memory_order_acquire);
  flag.wait(false);
  assert(flag.test());
}

int main() {
  std::thread notifier(Notify), waiter(Wait);
  notifier.join();
  waiter.join();
}
