// The constructor of a function-local static comes back to the same static: it waits for itself.
// compilers: gcc clang
// heddle: check
// expect: verdict=bug kind=deadlock preemptions=0 message~"which it holds itself"
// One thread: 1 execution.
// traces: 1 enumerated --keep-going
#include <thread>

static int &Counter();

struct Table {
  explicit Table(int depth) : value(depth == 0 ? 0 : Counter()) {}
  int value;
};

static int &Counter() {
  static Table table(1);
  return table.value;
}

int main() {
  std::thread user([] { Counter()++; });
  user.join();
}
