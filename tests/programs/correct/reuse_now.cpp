// Memory that is handed out again is new, whatever lay there: locks, once flags, semaphores, atomics that were released to.
// compilers: gcc clang
// heddle: check --reuse now
// expect: verdict=clean complete=true
// heddle: check --reuse now --visited states
// expect: verdict=clean complete=true
// heddle: check --reuse now --rewind fork --executions 50
// expect: verdict=clean
// heddle: check
// expect: verdict=clean complete=true
#include <semaphore.h>

#include <atomic>
#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <thread>

struct Node {
  std::mutex lock;
  std::once_flag once;
  std::atomic<int> number{0};
  int value = 0;
  sem_t permits;
};

static std::mutex both;
static int sum;

static void Work(int rounds) {
  uintptr_t last = 0;
  for (int round = 0; round < rounds; ++round) {
    Node* node = new Node;
    sem_init(&node->permits, 0, 1);
    sem_wait(&node->permits);
    node->lock.lock();
    std::call_once(node->once, [&] { node->value = 7; });
    assert(node->value == 7 && node->number.fetch_add(1) == 0);
    if (round == 0) node->lock.unlock();  // else it is freed as it is
    sem_destroy(&node->permits);
    last = reinterpret_cast<uintptr_t>(node);
    delete node;
  }
  const std::lock_guard<std::mutex> guard(both);
  sum += last != 0;
}

int main() {
  std::thread a(Work, 2), b(Work, 1);
  a.join();
  b.join();
  assert(sum == 2);
}
