// std::mutex, recursive_mutex, timed_mutex, recursive_timed_mutex, scoped_lock over two in
// either order.
// compilers: gcc clang   std: c++17 c++20
// heddle: check --bound preemptions=1
// expect: verdict=clean
// No number of graphs is stated: in what order std::scoped_lock tries its mutexes is the library's matter.
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

static std::mutex plain, other;
static std::recursive_mutex recursive;
static std::timed_mutex timed;
static std::recursive_timed_mutex recursive_timed;
static int x, y, z, tries;

static void Use(bool swapped) {
  using namespace std::chrono_literals;
  if (swapped) {
    std::scoped_lock both(plain, other);
    x++;
  } else {
    std::scoped_lock both(other, plain);
    x++;
  }
  {
    std::lock_guard outer(recursive);
    std::lock_guard inner(recursive);
    y++;
  }
  if (timed.try_lock_for(10ms)) {
    tries++;
    timed.unlock();
  }
  std::unique_lock lock(recursive_timed);
  assert(recursive_timed.try_lock_for(1ms));
  z++;
  recursive_timed.unlock();
}

int main() {
  std::thread first(Use, false), second(Use, true);
  first.join();
  second.join();
  assert(x == 2 && y == 2 && z == 2 && tries <= 2);
  assert(plain.try_lock());
  plain.unlock();
}
