// Virtual time follows whatever orders two threads: who comes after one that slept a second reads a
// clock that is at least that late, in every schedule. The argument names what orders them.
//
// The numbers: two traces where either thread may come first (lock, barrier, once, the two orders of
// an access and a conflicting one), one where the late thread has to wait for the early one.
//
// heddle: check -- mutex
// expect: verdict=clean complete=true
// heddle: check -- condition
// expect: verdict=clean complete=true
// heddle: check --order depth-first -- condition
// expect: verdict=clean complete=true
// heddle: check -- semaphore
// expect: verdict=clean complete=true executions=1
// heddle: check -- barrier
// expect: verdict=clean complete=true
// heddle: check -- once
// expect: verdict=clean complete=true
// heddle: check -- readers
// expect: verdict=clean complete=true
// heddle: check -- writer
// expect: verdict=clean complete=true
// heddle: check -- relaxed
// expect: verdict=clean complete=true
// heddle: check --memory-model sc -- write_after_read
// expect: verdict=clean complete=true
// heddle: check -- write_after_read
// expect: verdict=incomplete bugs=0
// heddle: check -- futex
// expect: verdict=clean complete=true
// heddle: check --order depth-first -- futex
// expect: verdict=clean complete=true
// heddle: check -- spin_lock
// expect: verdict=clean complete=true
// heddle: check -- signal
// expect: verdict=clean complete=true
// heddle: check -- pipe
// expect: verdict=clean complete=true
// heddle: check -- join
// expect: verdict=clean complete=true executions=1
// heddle: check -- create
// expect: verdict=clean complete=true executions=1
// traces: 2 -- mutex
// traces: 2 -- condition
// traces: 1 -- semaphore
// traces: 2 -- barrier
// traces: 2 -- once
// traces: 2 -- readers
// traces: 2 -- writer
// traces: 2 -- relaxed
// traces: 2 -- write_after_read
// traces: 2 -- spin_lock
#define _GNU_SOURCE
#include <linux/futex.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "run_threads.h"

static const char *order;
static int Is(const char *name) { return strcmp(order, name) == 0; }

static long Now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000L + now.tv_nsec;
}

static long stamp;  // of the early thread, taken after it slept
static int done;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static sem_t semaphore;
static atomic_long shared;
static atomic_int word;
static long read_before = -1, written;
static int ends[2];
static pthread_t late_thread;

static void SleepAndStamp(void) {
  sleep(1);
  stamp = Now();
}
static void Check(void) { assert(Now() >= stamp); }
static void CheckIfDone(void) {
  if (done) Check();
}

static void *Early(void *arg) {
  (void)arg;
  if (Is("once")) {
    pthread_once(&once, SleepAndStamp);
    Check();
    return 0;
  }
  SleepAndStamp();
  if (Is("mutex")) {
    pthread_mutex_lock(&mutex);
    done = 1;
    pthread_mutex_unlock(&mutex);
  } else if (Is("condition")) {
    pthread_mutex_lock(&mutex);
    done = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
  } else if (Is("semaphore")) {
    sem_post(&semaphore);
  } else if (Is("barrier")) {
    pthread_barrier_wait(&barrier);
  } else if (Is("readers")) {
    pthread_rwlock_wrlock(&lock);
    done = 1;
    pthread_rwlock_unlock(&lock);
  } else if (Is("writer")) {
    pthread_rwlock_rdlock(&lock);
    done = 1;
    pthread_rwlock_unlock(&lock);
  } else if (Is("relaxed")) {
    atomic_store_explicit(&shared, stamp, memory_order_relaxed);
  } else if (Is("write_after_read")) {
    read_before = atomic_load_explicit(&shared, memory_order_relaxed);
  } else if (Is("futex")) {
    atomic_store(&word, 1);
    syscall(SYS_futex, &word, FUTEX_WAKE, 1, 0, 0, 0);
  } else if (Is("spin_lock")) {
    pthread_spin_lock(&spin);
    done = 1;
    pthread_spin_unlock(&spin);
  } else if (Is("signal")) {
    pthread_kill(late_thread, SIGUSR1);
  } else if (Is("pipe")) {
    assert(write(ends[1], "x", 1) == 1);
  }
  return 0;
}

static void *Late(void *arg) {
  (void)arg;
  if (Is("mutex")) {
    pthread_mutex_lock(&mutex);
    CheckIfDone();
    pthread_mutex_unlock(&mutex);
  } else if (Is("condition")) {
    pthread_mutex_lock(&mutex);
    while (!done) pthread_cond_wait(&changed, &mutex);
    Check();
    pthread_mutex_unlock(&mutex);
  } else if (Is("semaphore")) {
    sem_wait(&semaphore);
    Check();
  } else if (Is("barrier")) {
    pthread_barrier_wait(&barrier);
    Check();
  } else if (Is("once")) {
    pthread_once(&once, SleepAndStamp);
    Check();
  } else if (Is("readers")) {
    pthread_rwlock_rdlock(&lock);
    CheckIfDone();
    pthread_rwlock_unlock(&lock);
  } else if (Is("writer")) {
    pthread_rwlock_wrlock(&lock);
    CheckIfDone();
    pthread_rwlock_unlock(&lock);
  } else if (Is("relaxed")) {
    const long seen = atomic_load_explicit(&shared, memory_order_relaxed);
    assert(Now() >= seen);
  } else if (Is("write_after_read")) {
    atomic_store_explicit(&shared, 1, memory_order_relaxed);
    written = Now();
  } else if (Is("futex")) {
    while (atomic_load(&word) == 0) syscall(SYS_futex, &word, FUTEX_WAIT, 0, 0, 0, 0);
    Check();
  } else if (Is("spin_lock")) {
    pthread_spin_lock(&spin);
    CheckIfDone();
    pthread_spin_unlock(&spin);
  } else if (Is("signal")) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    int number;
    sigwait(&set, &number);
    Check();
  } else if (Is("pipe")) {
    char byte;
    assert(read(ends[0], &byte, 1) == 1);
    Check();
  } else if (Is("create")) {
    Check();
  }
  return 0;
}

int main(int argc, char **argv) {
  assert(argc == 2);
  order = argv[1];
  pthread_t early;
  if (Is("join") || Is("create")) {
    if (Is("create")) SleepAndStamp();
    pthread_create(&early, 0, Is("create") ? Late : Early, 0);
    pthread_join(early, 0);
    Check();
    return 0;
  }
  sem_init(&semaphore, 0, 0);
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  pthread_barrier_init(&barrier, 0, 2);
  if (Is("pipe")) assert(pipe(ends) == 0);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, 0);
  pthread_create(&late_thread, 0, Late, 0);
  pthread_create(&early, 0, Early, 0);
  pthread_join(early, 0);
  pthread_join(late_thread, 0);
  if (read_before == 0) assert(written >= stamp);
  pthread_spin_destroy(&spin);
  pthread_barrier_destroy(&barrier);
  sem_destroy(&semaphore);
}
