// Message passing by atomics that are volatile: what would forbid it are the program's orders all the same.
// heddle: check --memory-model c11
// expect: verdict=bug kind=assertion stdout~memory_order_release stdout~memory_order_acquire
#include <atomic>

#include "run_threads.h"

static volatile std::atomic<int> data, ready;

static void* Send(void* unused) {
  data.store(1, std::memory_order_relaxed);
  ready.store(1, std::memory_order_relaxed);
  return unused;
}

static void* Receive(void* unused) {
  if (ready.load(std::memory_order_relaxed) == 1) assert(data.load(std::memory_order_relaxed) == 1);
  return unused;
}

int main() {
  const Body bodies[] = {Send, Receive};
  RunThreads(2, bodies);
}
