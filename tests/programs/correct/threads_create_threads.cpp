// Threads that create threads in different interleavings: each keeps its name, so every schedule
// replays.
// heddle: check --bound preemptions=2
// expect: verdict=clean outcomes=ab,ba
// Graphs: only the children's two updates conflict, 2.
// traces: 2
#include <heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> place{0};
static char order[3];

static void Parent(char name) {
  std::atomic<int> ready{0};
  std::thread child([&] {
    order[place++] = name;
    ready = 1;
  });
  child.join();
  assert(ready == 1);
}

int main() {
  std::thread first(Parent, 'a'), second(Parent, 'b');
  first.join();
  second.join();
  heddle_outcome("%s", order);
}
