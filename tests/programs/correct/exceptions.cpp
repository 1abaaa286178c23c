// Exceptions in several threads at once: each has its own current exception, across scheduling
// points, nested, rethrown, and carried to another thread.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check --bound preemptions=2
// expect: verdict=clean
// Graphs: two orders of the mutex; then each thread adds to x three times, C(6,3) = 20, whatever the order before. 40.
// traces: 40
#include <atomic>
#include <cassert>
#include <exception>
#include <mutex>
#include <string>
#include <thread>

static std::atomic<int> x{0};
static std::mutex mutex;
static std::exception_ptr carried[2];

struct Tag {
  ~Tag() { x++; }  // a scheduling point while unwinding
};

static void Throw(int me) {
  Tag tag;
  std::lock_guard guard(mutex);
  throw std::string("from ") + char('0' + me);
}

static void Run(int me) {
  try {
    Throw(me);
  } catch (const std::string &outer) {
    x++;
    assert(std::uncaught_exceptions() == 0);
    try {
      throw me;
    } catch (int inner) {
      x++;
      assert(inner == me);
    }
    assert(outer.back() == '0' + me);
    carried[me] = std::current_exception();
  }
}

int main() {
  std::thread first(Run, 0), second(Run, 1);
  first.join();
  second.join();
  for (int i = 0; i < 2; i++) {
    try {
      std::rethrow_exception(carried[i]);
    } catch (const std::string &text) {
      assert(text.back() == '0' + i);
    }
  }
  assert(x == 6);
}
