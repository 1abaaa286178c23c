// thread_local variables start afresh in every thread of every execution, and their destructors
// run at thread end.
// compilers: gcc clang
// heddle: check
// expect: verdict=clean complete=true executions>=2
// Graphs: two destructors in two orders.
// traces: 2 enumerated
#include <atomic>
#include <cassert>
#include <string>
#include <thread>

static std::atomic<int> destroyed{0};

struct Counter {
  ~Counter() { destroyed += value; }
  int value = 1;
  std::string text = "a string long enough to live on the heap";
};

static thread_local Counter counter;
static thread_local int plain = 3;

static void Run() {
  assert(plain == 3 && counter.value == 1 && counter.text.size() == 40);
  plain = 4;
  counter.value++;
  counter.text += "!";
}

int main() {
  assert(plain == 3 && destroyed == 0);
  plain = 5;
  std::thread first(Run), second(Run);
  first.join();
  second.join();
  assert(destroyed == 4 && plain == 5);
}
