// The sleeping barber. A customer looks whether the barber sleeps, and wakes him only then; the barber looks whether there are customers
// and then goes to sleep, each under a lock of its own.
// Interleaving: the barber finds no customer; a customer sits down and finds the barber awake; the barber sleeps, the customer waits.
// A customer that comes later wakes him, so only the last one can show it.
// bug: preemptions=1 threads=5
// heddle: check
// expect: verdict=bug kind=deadlock
// fixed: check --order random --executions 2000
// expect: verdict=incomplete bugs=0
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <semaphore.h>
#include <thread>

static constexpr int kCustomers = 3;
static std::mutex chairs_mutex, barber_mutex;
static std::condition_variable wake;
static int waiting;
static bool asleep, woken;
static sem_t done;

static void Barber() {
  for (int served = 0; served < kCustomers;) {
    bool work = false;
#ifdef FIXED
    {
      std::unique_lock<std::mutex> lock(barber_mutex);
      chairs_mutex.lock();
      work = waiting > 0;
      if (work) waiting--;
      chairs_mutex.unlock();
      if (!work) {
        asleep = true, woken = false;
        wake.wait(lock, [] { return woken; });
        asleep = false;
      }
    }
#else
    chairs_mutex.lock();
    work = waiting > 0;
    if (work) waiting--;
    chairs_mutex.unlock();
    if (!work) {
      std::unique_lock<std::mutex> lock(barber_mutex);
      asleep = true, woken = false;
      wake.wait(lock, [] { return woken; });
      asleep = false;
    }
#endif
    if (work) {
      served++;
      sem_post(&done);
    }
  }
}

static void Customer() {
  {
    std::lock_guard<std::mutex> guard(chairs_mutex);
    waiting++;
  }
  {
    std::lock_guard<std::mutex> guard(barber_mutex);
    if (asleep) {
      woken = true;
      wake.notify_one();
    }
  }
  sem_wait(&done);
}

int main() {
  sem_init(&done, 0, 0);
  std::thread barber(Barber), a(Customer), b(Customer), c(Customer);
  barber.join(), a.join(), b.join(), c.join();
  sem_destroy(&done);
}
