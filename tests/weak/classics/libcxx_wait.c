// The lost wake-up of libc++'s atomic::wait (issue 109290): a waiter notes the version, sees that there is nothing yet, counts
// itself among the waiters and sleeps unless the version has changed; who notifies changes the version, and looks whether there are
// waiters. It did so by an addition that only releases: store buffering on ARM, while x86's is a fence. The kernel is
// a mutex and a condition variable here, with the full fence that Linux has there.
//
//                          sc  tso c11
// - strong               : 6   6   6
// - BUMP=release         : 6   6   deadlock
// - BUMP=acq_rel         : 6   6   deadlock
// - LOOK=acquire         : 6   6   deadlock
// - KERNEL_FENCE=acq_rel : 6   6   deadlock
// - COUNT=relaxed        : 6   6   6
#include "classics.h"

#ifndef BUMP
#define BUMP seq_cst
#endif
#ifndef LOOK
#define LOOK seq_cst
#endif
#ifndef COUNT
#define COUNT seq_cst
#endif
#ifndef KERNEL_FENCE
#define KERNEL_FENCE seq_cst
#endif

static pthread_mutex_t bucket = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int value, version, waiters;

static void SleepUnlessChanged(int seen) {
  pthread_mutex_lock(&bucket);
  FENCE(KERNEL_FENCE);
  if (LOAD(version, relaxed) == seen) pthread_cond_wait(&changed, &bucket);
  pthread_mutex_unlock(&bucket);
}

static void* Wait(void* unused) {
  const int seen = LOAD(version, acquire);
  if (LOAD(value, acquire)) return unused;
  ADD(waiters, 1, COUNT);
  SleepUnlessChanged(seen);
  return unused;
}

static void* Notify(void* unused) {
  STORE(value, 1, release);
  ADD(version, 1, BUMP);
  if (LOAD(waiters, LOOK) == 0) return unused;
  pthread_mutex_lock(&bucket);
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&bucket);
  return unused;
}

int main(void) { RunThreads(2, (Body[]){Wait, Notify}); }
