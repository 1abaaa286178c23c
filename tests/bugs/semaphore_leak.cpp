// A pool of two database connections guarded by a semaphore. When the server has gone away, the worker returns early and forgets to post.
// Interleaving: the server is restarted while two workers are between acquiring and use; the third waits for ever.
// The restart happens after warm-up: fifty requests by main.
// bug: preemptions=2 threads=5
// heddle: check
// expect: verdict=bug kind=deadlock
// fixed: check --order random --executions 2000
// expect: verdict=incomplete bugs=0
#include <atomic>
#include <cassert>
#include <semaphore.h>
#include <thread>

static constexpr int kWarmUp = 50;
static sem_t pool;
static std::atomic<int> server_epoch, served;

static bool Request() {
  int epoch = server_epoch;
  sem_wait(&pool);
  if (server_epoch != epoch) {
#ifdef FIXED
    sem_post(&pool);
#endif
    return false;
  }
  served++;
  sem_post(&pool);
  return true;
}

static void Work() {
  for (int i = 0; i < 2; i++) Request();
}

int main() {
  sem_init(&pool, 0, 2);
  for (int i = 0; i < kWarmUp; i++) Request();
  std::thread a(Work), b(Work), c(Work);
  std::thread operations([] {
    server_epoch++;
    server_epoch++;
  });
  a.join(), b.join(), c.join(), operations.join();
  sem_destroy(&pool);
}
