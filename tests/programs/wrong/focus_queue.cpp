// Two threads add to a queue, and each does something else before and after. Only where one is preempted in Enqueue by the
// other one, which goes through it, is an element lost. The first execution preempts nobody; told where to look, the second one
// does it. Without that the search tries other places before: in order of preemptions the last places of the first thread.
// heddle: check --focus-function Enqueue --priority method --reduction none --no-minimise
// expect: verdict=bug kind=assertion execution=2 order=best-first
// heddle: check --focus-function Queue::Enqueue --no-minimise
// expect: verdict=bug kind=assertion execution<=20
// heddle: check --focus-variable queue.tail --priority var --reduction none --no-minimise
// expect: verdict=bug kind=assertion execution=2
// heddle: check --priority pb --reduction none --no-minimise
// expect: verdict=bug kind=assertion execution>=5
// opt: -O0 -O2
#include <assert.h>

#include <atomic>
#include <thread>

namespace {

struct Queue {
  std::atomic<int> head{0};
  std::atomic<int> tail{0};

  void Enqueue() {
    const int end = tail.load();
    tail.store(end + 1);
  }
};

Queue queue;
std::atomic<int> other{0};

void DoSomethingElse() {
  for (int i = 0; i < 6; ++i) other.fetch_add(1);
}

void Run() {
  DoSomethingElse();
  queue.Enqueue();
  DoSomethingElse();
}

}  // namespace

int main() {
  std::thread first(Run);
  std::thread second(Run);
  first.join();
  second.join();
  assert(queue.tail == 2);
}
