// A loop that counts while it waits never repeats itself; it is not a hang, only impatient: others get their turn.
// heddle: check --bound preemptions=1
// expect: verdict=clean complete=true
// No number of graphs is stated: how many rounds are told apart before others get their turn is a matter of when that
// is noticed (docs/algorithms/spinning.md).
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
