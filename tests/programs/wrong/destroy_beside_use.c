// Every primitive, destroyed by main beside its use by T1: T1 finds it destroyed, or main finds it in use.
// Traces: the destruction before, between and after a lock and its unlock (3), or before and after a single use (2). A misuse has no
// effect, so the other thread goes on beside it. Graphs: that of a destruction between the two ends the program before T1's
// unlock or after it (4). In the other cases the other thread has come to rest by then.
// traces: 3 --keep-going -- mutex
// graphs: 4 --keep-going -- mutex
// traces: 3 --keep-going -- c11
// graphs: 4 --keep-going -- c11
// traces: 3 --keep-going -- rwlock
// graphs: 4 --keep-going -- rwlock
// traces: 3 --keep-going -- spin
// graphs: 4 --keep-going -- spin
// traces: 2 enumerated --keep-going -- condition
// traces: 2 enumerated --keep-going -- semaphore
// traces: 2 enumerated --keep-going -- barrier
// heddle: check --keep-going -- mutex
// expect: verdict=bug kind=misuse message~"main destroys mutex" message~"T1 has locked" kind=misuse message~"T1 locks mutex" message~"was destroyed by main"
// heddle: check --keep-going -- c11
// expect: verdict=bug kind=misuse message~"main destroys mutex" message~"T1 has locked" kind=misuse message~"T1 locks mutex" message~"was destroyed by main"
// heddle: check --keep-going -- rwlock
// expect: verdict=bug kind=misuse message~"while it is locked" kind=misuse message~"T1 locks read-write lock" message~"was destroyed by main"
// heddle: check --keep-going -- spin
// expect: verdict=bug kind=misuse message~"main destroys spin lock" message~"T1 has locked" kind=misuse message~"T1 locks spin lock" message~"was destroyed by main"
// heddle: check --keep-going -- condition
// expect: verdict=bug bugs=1 kind=misuse message~"T1 signals condition variable" message~"was destroyed by main"
// heddle: check --keep-going -- semaphore
// expect: verdict=bug bugs=1 kind=misuse message~"T1 posts semaphore" message~"was destroyed by main"
// heddle: check --keep-going -- barrier
// expect: verdict=bug kind=misuse message~"main destroys barrier" message~"wait at it" kind=misuse message~"T1 arrives at barrier" message~"was destroyed by main"
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
  if (strcmp(kind, "mutex") == 0) {
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
    pthread_cond_signal(&condition);
  } else if (strcmp(kind, "semaphore") == 0) {
    sem_post(&semaphore);
  } else {
    pthread_barrier_wait(&barrier);
  }
  return arg;
}

int main(int argc, char **argv) {
  pthread_t thread;
  kind = argc > 1 ? argv[1] : "mutex";
  pthread_mutex_init(&mutex, 0);
  mtx_init(&c11, mtx_plain);
  pthread_rwlock_init(&rwlock, 0);
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  pthread_cond_init(&condition, 0);
  sem_init(&semaphore, 0, 0);
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&thread, 0, Use, 0);
  if (strcmp(kind, "mutex") == 0) pthread_mutex_destroy(&mutex);
  if (strcmp(kind, "c11") == 0) mtx_destroy(&c11);
  if (strcmp(kind, "rwlock") == 0) pthread_rwlock_destroy(&rwlock);
  if (strcmp(kind, "spin") == 0) pthread_spin_destroy(&spin);
  if (strcmp(kind, "condition") == 0) pthread_cond_destroy(&condition);
  if (strcmp(kind, "semaphore") == 0) sem_destroy(&semaphore);
  if (strcmp(kind, "barrier") == 0) pthread_barrier_destroy(&barrier);
  pthread_join(thread, 0);
}
