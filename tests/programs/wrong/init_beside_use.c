// Every primitive, initialised by main beside its use by T1, without anything that would order the two. Whatever goes
// wrong first is found: a lock that T1 does not hold any more, or one that nobody has made yet, or a wait that nobody
// will ever end.
// heddle: check -- mutex
// expect: verdict=bug kind=misuse message~"T1 unlocks mutex" message~"was initialised at"
// heddle: check --keep-going -- waiting
// expect: verdict=bug kind=misuse message~"initialises mutex" message~"waits for it"
// heddle: check -- c11
// expect: verdict=bug kind=misuse message~"T1 unlocks mutex"
// heddle: check -- rwlock
// expect: verdict=bug kind=misuse message~"T1 unlocks read-write lock"
// heddle: check -- spin
// expect: verdict=bug kind=misuse message~"T1 locks spin lock" message~"not initialised"
// heddle: check --keep-going -- condition
// expect: verdict=bug kind=misuse message~"main initialises condition variable" message~"T1 waits on it"
// heddle: check -- semaphore
// expect: verdict=bug kind=misuse message~"main initialises semaphore" message~"T1 waits for it"
// heddle: check -- barrier
// expect: verdict=bug kind=misuse message~"T1 arrives at barrier" message~"never initialised"
// Graphs: the mutexes and the read-write lock are initialised before the lock, between it and the unlock, or after: 3.
// The spin lock and the barrier before or after their first use, which is a misuse if it comes first: 2 traces; and
// main may have initialised them or not when that ends the execution: 3 graphs. The
// semaphore while T1 waits or before it does: 2. The condition variable while T1 waits, or before; then main's signal
// comes before T1's wait or after: 3.
// traces: 3 enumerated --keep-going -- mutex
// traces: 3 enumerated --keep-going -- c11
// traces: 3 enumerated --keep-going -- rwlock
// traces: 2 --keep-going -- spin
// graphs: 3 --keep-going -- spin
// traces: 3 enumerated --keep-going -- condition
// traces: 2 enumerated --keep-going -- semaphore
// traces: 2 --keep-going -- barrier
// graphs: 3 --keep-going -- barrier
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <threads.h>

static pthread_mutex_t mutex;
static mtx_t c11;
static pthread_rwlock_t rwlock;
static pthread_spinlock_t spin;
static pthread_cond_t condition;
static sem_t semaphore;
static pthread_barrier_t barrier;
static const char *kind;

static void *Use(void *arg) {
  if (strcmp(kind, "mutex") == 0 || strcmp(kind, "waiting") == 0) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  } else if (strcmp(kind, "c11") == 0) {
    mtx_lock(&c11);
    mtx_unlock(&c11);
  } else if (strcmp(kind, "rwlock") == 0) {
    pthread_rwlock_rdlock(&rwlock);
    pthread_rwlock_unlock(&rwlock);
  } else if (strcmp(kind, "spin") == 0) {
    pthread_spin_lock(&spin);
    pthread_spin_unlock(&spin);
  } else if (strcmp(kind, "condition") == 0) {
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
  } else if (strcmp(kind, "semaphore") == 0) {
    sem_wait(&semaphore);
  } else {
    pthread_barrier_wait(&barrier);
  }
  return arg;
}

int main(int argc, char **argv) {
  pthread_t a, b;
  kind = argc > 1 ? argv[1] : "mutex";
  pthread_create(&a, 0, Use, 0);
  if (strcmp(kind, "waiting") == 0) pthread_create(&b, 0, Use, 0);
  if (strcmp(kind, "mutex") == 0 || strcmp(kind, "waiting") == 0) pthread_mutex_init(&mutex, 0);
  if (strcmp(kind, "c11") == 0) mtx_init(&c11, mtx_plain);
  if (strcmp(kind, "rwlock") == 0) pthread_rwlock_init(&rwlock, 0);
  if (strcmp(kind, "spin") == 0) pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  if (strcmp(kind, "condition") == 0) {
    pthread_cond_init(&condition, 0);
    pthread_mutex_lock(&mutex);
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
  }
  if (strcmp(kind, "semaphore") == 0) sem_init(&semaphore, 0, 1);
  if (strcmp(kind, "barrier") == 0) pthread_barrier_init(&barrier, 0, 1);
  pthread_join(a, 0);
  if (strcmp(kind, "waiting") == 0) pthread_join(b, 0);
}
