// A function-local static that two threads reach at once: constructed once, and complete for
// both; a constructor that throws is tried again.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check
// expect: verdict=clean complete=true
// Graphs: who comes first, and fails, 2; who constructs it then, 2; and whether the other one still finds the guard's first
// byte, at which the Itanium C++ ABI looks first, unset, 2. All else is ordered by the guard. 8.
// traces: 8 enumerated
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
