// Objects that main makes and destroys when nobody else is left belong to no other thread's step, in whatever order the
// threads ended: two threads that take a lock, 2 traces, with a class whose members are a mutex and a condition variable.
// traces: 2 enumerated
#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

struct Counter {
  std::mutex mutex;
  std::condition_variable changed;
  int value = 0;
  void Add() {
    std::lock_guard guard(mutex);
    ++value;
  }
};

}  // namespace

int main() {
  {
    Counter counter;
    std::thread a([&] { counter.Add(); });
    std::thread b([&] { counter.Add(); });
    a.join();
    b.join();
  }
  pthread_mutex_t mutex;
  pthread_barrier_t barrier;
  pthread_mutex_init(&mutex, nullptr);
  pthread_barrier_init(&barrier, nullptr, 1);
  pthread_barrier_wait(&barrier);
  pthread_barrier_destroy(&barrier);
  pthread_mutex_destroy(&mutex);
}
