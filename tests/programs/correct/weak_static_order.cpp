// Two functions' static variables that are made of what others store: which of the two sees the other's store is store buffering,
// with a lock on either side. Under c11 neither need: the constructions synchronise with those who use what they made.
// heddle: check --release-sequences c++20 --memory-model c11
// expect: verdict=clean executions=4 complete=true
// heddle: check --release-sequences c++20 --memory-model tso
// expect: verdict=clean executions=3 complete=true
// heddle: check --release-sequences c++20 --memory-model sc --reduction reads-from
// expect: verdict=clean executions=3 complete=true
#include <atomic>

#include "run_threads.h"

static std::atomic<int> x, y;

struct Made {
  explicit Made(int from) : value(from) {}
  int value;
};

static Made& OfX() {
  static Made made(x.load(std::memory_order_relaxed));
  return made;
}

static Made& OfY() {
  static Made made(y.load(std::memory_order_relaxed));
  return made;
}

static void* StoreX(void* unused) {
  x.store(1, std::memory_order_relaxed);
  OfY();
  return unused;
}

static void* StoreY(void* unused) {
  y.store(1, std::memory_order_relaxed);
  OfX();
  return unused;
}

int main() {
  const Body bodies[] = {StoreX, StoreY};
  RunThreads(2, bodies);
}
