// What a round in vain does depends on a variable on the thread's own stack that others write, so
// that one round says nothing of another one: found is 1 where y was written before.
// opt: -O2 -O0   compilers: gcc clang
// heddle: check --no-races
// expect: verdict=bug kind=assertion
// heddle: check --no-races --reduction source
// expect: verdict=bug kind=assertion
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> flag{0};

int main() {
  int y = 0;
  std::thread first([] { flag.store(1); });
  std::thread second([&] {
    y = 1;
    flag.store(1);
    flag.store(2);
  });
  int found;
  do {
    found = flag.load();
  } while (found != 2 && !(found == 1 && y == 1));
  assert(found == 2);
  first.join();
  second.join();
}
