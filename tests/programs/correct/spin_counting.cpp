// A loop that counts while it waits never repeats itself; it is not a hang, only impatient: others get their turn.
// heddle: check --bound preemptions=1
// expect: verdict=clean complete=true
// Graphs: the first thread sees no stop 0 to 4 times, 5: it writes in each round, so the first two cannot be compared, and
// before its fifth look it has counted twice (docs/algorithms/spinning.md). Where it does not wait any longer, it goes round
// too often, and is cut short. What the second counts is used by nobody: its rounds are in vain.
// heddle: check
// expect: complete=true executions=5 happens_before=5
// graphs: 5
#include <atomic>
#include <thread>

static std::atomic<bool> stop{false};

int main() {
  long shared = 0;
  std::thread elsewhere([&] {
    while (!stop) ++shared;
  });
  std::thread here([] {
    long mine = 0;
    while (!stop) ++mine;
  });
  stop = true;
  elsewhere.join();
  here.join();
}
