// POSIX spin locks exclude like mutexes do: N! orders.
// heddle: check --order depth-first
// expect: verdict=clean complete=true executions=6
// traces: 6 enumerated
#include <errno.h>

#include "run_threads.h"

static pthread_spinlock_t lock;
static int x;

static void *Add(void *arg) {
  (void)arg;
  pthread_spin_lock(&lock);
  x++;
  pthread_spin_unlock(&lock);
  return 0;
}

int main() {
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  RunSame(3, Add);
  assert(x == 3);
  assert(pthread_spin_trylock(&lock) == 0);
  assert(pthread_spin_trylock(&lock) == EBUSY);
  assert(pthread_spin_unlock(&lock) == 0 && pthread_spin_destroy(&lock) == 0);
}
