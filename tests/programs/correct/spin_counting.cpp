// A loop that counts while it waits, where somebody else could look at the counter: each number of rounds is another state. It is not a
// hang, only impatient: after 16 rounds in which nothing was changed it waits, and the search is not complete. What the second
// thread counts is used by nobody.
// heddle: check --bound preemptions=1
// expect: verdict=incomplete complete=false bugs=0 stdout~"up to 16 rounds"
// heddle: check
// expect: verdict=incomplete complete=false bugs=0
// No number of graphs is stated, because the search is not complete.
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
