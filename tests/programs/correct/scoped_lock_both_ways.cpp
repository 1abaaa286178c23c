// std::scoped_lock of two mutexes, in either order. Where their steps stay in time, both threads can fail and try again for
// ever; but who fails waits for the mutex that it did not get, as the standard library means it to: no livelock.
// heddle: check --order depth-first --reduction none
// expect: verdict=clean complete=true bugs=0 warnings=0
// heddle: check --order context-bounded
// expect: verdict=clean complete=true bugs=0 warnings=0
// heddle: check --order depth-first --reduction optimal
// expect: bugs=0 warnings=0
// heddle: check
// expect: bugs=0 warnings=0
// every search: none
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex a, b;
static int count;

int main() {
  std::thread t([] {
    std::scoped_lock both(a, b);
    ++count;
  });
  std::thread u([] {
    std::scoped_lock both(b, a);
    ++count;
  });
  t.join();
  u.join();
  assert(count == 2);
}
