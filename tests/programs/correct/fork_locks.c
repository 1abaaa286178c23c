// A child finds its parent's locks as they were: locked ones are locked, those that the thread has that forked are its own,
// and those of other threads stay locked.
// heddle: check
// expect: verdict=clean complete=true rewind=fork-checkpoint
// The other thread stands before its lock: fork is before it, behind it, or between it and the unlock.
// heddle: check --reduction optimal -- 1
// expect: incomplete=child-process executions=3 outcomes=00,16
// A lock that is used for the first time after the fork is not known to it, so orders are missing with a reduction that relies on it.
// heddle: check --reduction optimal -- 2
// expect: incomplete=child-process
// heddle: check --order depth-first --reduction bounded -- 2
// expect: incomplete=child-process outcomes=00,16
// heddle: check --order depth-first --reduction none -- 2
// expect: incomplete=child-process outcomes=00,16
// heddle: check --order depth-first --reduction bounded -- 1
// expect: incomplete=child-process outcomes=00,16
// heddle: check --order depth-first --reduction none -- 1
// expect: incomplete=child-process outcomes=00,16
#define _GNU_SOURCE
#include <errno.h>
#include <heddle.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run_threads.h"

static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER, freed = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t early = PTHREAD_RWLOCK_INITIALIZER, early_read = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static sem_t semaphore;

static int StatusOf(int (*child)(void)) {
  pid_t process = fork();
  assert(process >= 0);
  if (process == 0) _exit(child());
  int status;
  assert(waitpid(process, &status, 0) == process && WIFEXITED(status));
  return WEXITSTATUS(status);
}

static int Looks(void) {
  if (pthread_mutex_trylock(&plain) != EBUSY) return 1;
  if (pthread_mutex_trylock(&freed) != 0) return 2;
  for (int i = 0; i < 2; i++)
    if (pthread_mutex_unlock(&recursive) != 0) return 3;
  if (pthread_mutex_unlock(&recursive) != EPERM) return 4;
  if (pthread_rwlock_tryrdlock(&rwlock) != 0 || pthread_rwlock_trywrlock(&rwlock) != EBUSY) return 5;
  if (pthread_spin_trylock(&spin) != EBUSY || pthread_spin_unlock(&spin) != 0) return 6;
  if (sem_trywait(&semaphore) != 0 || sem_trywait(&semaphore) != -1) return 7;
  if (pthread_rwlock_trywrlock(&early) != 0 || pthread_rwlock_trywrlock(&early_read) != 0) return 8;
  return 0;
}

// Before main: the C library has locked them for real.
__attribute__((constructor)) static void LockEarly(void) {
  pthread_rwlock_wrlock(&early);
  pthread_rwlock_rdlock(&early_read);
}

static void LockAll(void) {
  assert(pthread_rwlock_unlock(&early) == 0 && pthread_rwlock_unlock(&early_read) == 0);
  pthread_spin_init(&spin, 0);
  sem_init(&semaphore, 0, 2);
  pthread_mutex_lock(&plain);
  pthread_mutex_lock(&freed);
  pthread_mutex_unlock(&freed);
  pthread_mutex_lock(&recursive);
  pthread_mutex_lock(&recursive);
  pthread_rwlock_rdlock(&rwlock);
  pthread_spin_lock(&spin);
  sem_wait(&semaphore);
}

static int TriesPlain(void) { return pthread_mutex_trylock(&plain); }

static void *Holds(void *arg) {
  if (arg) pthread_mutex_lock(&freed);
  pthread_mutex_lock(&plain);
  pthread_mutex_unlock(&plain);
  if (arg) pthread_mutex_unlock(&freed);
  return arg;
}

int main(int argc, char **argv) {
  if (argc == 1) {
    LockAll();
    assert(StatusOf(Looks) == 0);
    return 0;
  }
  pthread_t thread;
  pthread_create(&thread, 0, Holds, argv[1][0] == '2' ? &freed : 0);
  heddle_outcome("%02d", StatusOf(TriesPlain));
  pthread_join(thread, 0);
}
