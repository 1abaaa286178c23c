// A function-local static that two threads reach at once: constructed once, and complete for
// both; a constructor that throws is tried again.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check
// expect: verdict=clean complete=true
// No number of graphs is stated: what is looked at before the guard is asked is the compiler's matter.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> constructed{0}, tries{0};

struct Table {
  Table() {
    if (tries++ == 0) throw 1;
    constructed++;
    value = 17;
  }
  int value;
};

static int Value() {
  static Table table;
  return table.value;
}

static void Use() {
  for (;;) {
    try {
      assert(Value() == 17);
      return;
    } catch (int) {
    }
  }
}

int main() {
  assert(constructed == 0 && tries == 0);
  std::thread first(Use), second(Use);
  first.join();
  second.join();
  assert(constructed == 1 && tries == 2);
}
