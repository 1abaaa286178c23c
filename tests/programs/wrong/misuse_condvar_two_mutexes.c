// Two threads wait on one condition variable at the same time, each with a mutex of its own.
// heddle: check --reduction optimal
// expect: verdict=bug kind=misuse location=@wait
// expect: message~"waits on condition variable changed with mutex locks"
// expect: message~"while T1 waits on it"
// Graphs: Finish gets both mutexes first, or one of them: nobody waits or one, 3. Else both wait, the second one in
// error: if that is the first thread, it has its mutex until then, 1; if it is the second, Finish may have taken the
// first's mutex or not, 2. 6 in all; the last two, of which the program's end cuts short what Finish did, are one execution.
// heddle: check --reduction optimal --keep-going
// expect: verdict=bug complete=true executions=5 redundant=0 bugs=2 kinds=misuse
// graphs: 6 --keep-going
#include "run_threads.h"

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static _Atomic int done;

static void Wait(pthread_mutex_t *lock) {
  pthread_mutex_lock(lock);
  if (!done) pthread_cond_wait(&changed, lock);  // @wait
  pthread_mutex_unlock(lock);
}

static void *WaitWithFirst(void *arg) {
  Wait(&locks[0]);
  return arg;
}

static void *WaitWithSecond(void *arg) {
  Wait(&locks[1]);
  return arg;
}

static void *Finish(void *arg) {
  pthread_mutex_lock(&locks[0]);
  pthread_mutex_lock(&locks[1]);
  done = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&locks[1]);
  pthread_mutex_unlock(&locks[0]);
  return arg;
}

int main() { RunThreads(3, (Body[]){WaitWithFirst, WaitWithSecond, Finish}); }
