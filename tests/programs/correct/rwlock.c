// Readers share, a writer is alone; try variants answer EBUSY and never block.
// heddle: check
// expect: verdict=clean complete=true outcomes=together,apart
// Graphs: the writer before or after both readers, whose two updates each of the count come in C(4,2) = 6 orders; or
// between them, 2. 14.
// traces: 14
#include <errno.h>
#include <heddle.h>
#include <stdatomic.h>

#include "run_threads.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;
static atomic_int readers;
static int most;

static void *Read(void *arg) {
  (void)arg;
  pthread_rwlock_rdlock(&lock);
  int now = ++readers;
  assert(value == 0 || value == 2);
  if (now == 2) most = 2;
  readers--;
  pthread_rwlock_unlock(&lock);
  return 0;
}

static void *Write(void *arg) {
  (void)arg;
  pthread_rwlock_wrlock(&lock);
  value = 1;
  value = 2;
  pthread_rwlock_unlock(&lock);
  return 0;
}

int main() {
  RunThreads(3, (Body[]){Read, Read, Write});
  heddle_outcome(most == 2 ? "together" : "apart");
  assert(pthread_rwlock_rdlock(&lock) == 0);
  assert(pthread_rwlock_tryrdlock(&lock) == 0);
  assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
  assert(pthread_rwlock_unlock(&lock) == 0 && pthread_rwlock_unlock(&lock) == 0);
  assert(pthread_rwlock_trywrlock(&lock) == 0);
  assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
  assert(pthread_rwlock_unlock(&lock) == 0 && pthread_rwlock_destroy(&lock) == 0);
}
