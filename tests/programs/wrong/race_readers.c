// Two readers of a read-write lock do not synchronise with one another: what one writes under it
// races with the other.
// heddle: check
// expect: verdict=bug kind=data-race preemptions=0
// Graphs: readers commute; a read and a write of each thread, scheduling points once they have raced: one thread first,
// 2, or both read first and write in two orders, 2. 4.
// traces: 4 enumerated --keep-going
#include "run_threads.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int reads;

static void *Read(void *arg) {
  (void)arg;
  pthread_rwlock_rdlock(&lock);
  reads++;
  pthread_rwlock_unlock(&lock);
  return 0;
}

int main() { RunSame(2, Read); }
