// What a round in vain does depends on a variable on the thread's own stack that others write, so
// that one round says nothing of another one: found is 1 where y was written before.
// opt: -O2 -O0   compilers: gcc clang
// heddle: check --no-races
// expect: verdict=bug kind=assertion
// heddle: check --no-races --reduction source
// expect: verdict=bug kind=assertion
// Executions: the store of one thread comes before, between or after the other's two stores, 3, and the loop ends after
// the first, the second or the last of them, 3. main stands before the loop when y is written, which changes its stack:
// so a first look that finds 0 is not in vain, and is there or not. 3 * 3 * 2 = 18.
// traces: 18 --no-races --keep-going
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
