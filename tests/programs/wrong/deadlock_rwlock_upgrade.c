// A reader lets go of the outer lock and wants it back as a writer while it still holds the
// inner one.
// heddle: check
// expect: verdict=bug kind=deadlock preemptions=1 location=@upgrade message~"lock cycle:" message~"for read-write lock inner, held for reading by T1" message~"for read-write lock, held by T2"
// Graphs: Swap first; or Upgrade reads first, and Swap writes before Upgrade does (the deadlock) or after. 3.
// traces: 3 enumerated --keep-going
#include <stdatomic.h>

#include "run_threads.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t inner = PTHREAD_RWLOCK_INITIALIZER;

static void *Upgrade(void *arg) {
  (void)arg;
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_rdlock(&inner);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_wrlock(&lock);  // @upgrade
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&inner);
  return 0;
}

static void *Swap(void *arg) {
  (void)arg;
  pthread_rwlock_wrlock(&lock);
  pthread_rwlock_wrlock(&inner);
  pthread_rwlock_unlock(&inner);
  pthread_rwlock_unlock(&lock);
  return 0;
}

int main() { RunThreads(2, (Body[]){Upgrade, Swap}); }
