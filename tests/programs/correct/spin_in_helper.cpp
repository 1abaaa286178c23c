// A lock by hand whose attempt is a function of its own, so that the loop is not in the function that looks. ("not a proof:
// heddle cannot follow the code of a loop that waits" was said here.)
// Each thread takes the lock twice. An attempt looks, and exchanges if it has found the lock free: 248
// graphs by GCC's code (by Clang's fewer looks count: 118).
// compilers: gcc   opt: -O0 -O1 -O2
// heddle: check --reduction optimal
// expect: verdict=clean complete=true happens_before=248
// heddle: check --order depth-first --reduction none
// expect: verdict=clean complete=true happens_before=248
#include <atomic>
#include <cassert>
#include <thread>

struct Lock {
  std::atomic<bool> held{false};
  __attribute__((noinline)) bool Try() { return !held.load() && !held.exchange(true); }
  void Take() {
    while (!Try()) std::this_thread::yield();
  }
  void Give() { held = false; }
};

static Lock lock;
static int count;

int main() {
  const auto body = [] {
    for (int i = 0; i < 2; ++i) {
      lock.Take();
      ++count;
      lock.Give();
    }
  };
  std::thread one(body), two(body);
  one.join();
  two.join();
  assert(count == 4);
}
