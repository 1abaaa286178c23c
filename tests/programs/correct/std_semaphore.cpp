// counting_semaphore and binary_semaphore: acquire blocks until a release, and a release
// publishes. At most one preemption, because with two libstdc++ 12 loses a wake-up: see
// tests/real/libstdcxx_semaphore.cpp.
// compilers: gcc clang   std: c++20
// heddle: check --bound preemptions=1
// expect: verdict=clean
// No number of graphs is stated: the operations are those that libstdc++ makes inside.
#include <cassert>
#include <chrono>
#include <semaphore>
#include <thread>

static std::counting_semaphore<4> items(0);
static std::binary_semaphore turn(1);
static int made, shared;

static void Produce() {
  made = 5;
  items.release(2);
  turn.acquire();
  shared++;
  turn.release();
}

static void Consume() {
  items.acquire();
  assert(made == 5);
  items.acquire();
  turn.acquire();
  shared++;
  turn.release();
}

int main() {
  std::thread producer(Produce), consumer(Consume);
  producer.join();
  consumer.join();
  assert(shared == 2 && !items.try_acquire());
  assert(!items.try_acquire_for(std::chrono::milliseconds(1)));
}
