// A local variable of main captured by reference and changed by two threads.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check
// expect: verdict=bug kind=data-race location=@race
// Graphs: a read and a write of each thread, scheduling points once they have raced: one thread first, 2, or both read
// first and write in two orders, 2. 4.
// traces: 4 enumerated --keep-going
#include <cstdio>
#include <thread>

int main() {
  int sum = 0;
  auto add = [&](int value) {
    sum += value;  // @race
  };
  std::thread first(add, 1), second(add, 2);
  first.join();
  second.join();
  std::printf("%d\n", sum);
}
