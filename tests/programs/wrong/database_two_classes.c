// The example of the Inspect paper (Fig. 3): operations of class A may run together, so may
// those of class B, but not both. `lock` keeps the classes apart; it is taken while `mutex` is
// held, and given back only under `mutex`.
// compilers: gcc clang
// heddle: check
// expect: verdict=bug kind=deadlock preemptions=1 location=@take location=@leave
// heddle: check --preset inspect
// expect: verdict=bug kind=deadlock location=@take location=@leave
// heddle: check --preset inspect --keep-going
// expect: verdict=bug complete=true kind=deadlock
// Graphs: each thread has two sections under the mutex and holds the lock from the first to the second. Both of one
// thread first: 2. The first section of each: the second one waits for the lock under the mutex, a deadlock, in 2 ways.
// traces: 4 enumerated --keep-going
#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, lock = PTHREAD_MUTEX_INITIALIZER;
static int counts[2];

static void *Operate(void *arg) {
  int *count = &counts[(long)arg];
  pthread_mutex_lock(&mutex);
  (*count)++;
  if (*count == 1) pthread_mutex_lock(&lock);  // @take
  pthread_mutex_unlock(&mutex);

  pthread_mutex_lock(&mutex);  // @leave
  (*count)--;
  if (*count == 0) pthread_mutex_unlock(&lock);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main() { RunSame(2, Operate); }
