// Objects change hands under a lock: accessed by many threads, never at once, so there is no
// race. The heap may give the same address out again, which is no race either.
// heddle: check --bound preemptions=2
// expect: verdict=clean
// Graphs: two sections of each thread under one mutex, C(4,2) = 6.
// traces: 6
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::unique_ptr<int> slot;

static std::unique_ptr<int> Exchange(std::unique_ptr<int> mine) {
  std::lock_guard guard(mutex);
  slot.swap(mine);
  return mine;
}

static void Run(int id) {
  auto got = Exchange(std::make_unique<int>(id));
  if (got) (*got)++;
  got = Exchange(std::move(got));
  if (got) (*got)++;
}

int main() {
  std::thread first(Run, 10), second(Run, 20);
  first.join();
  second.join();
}
