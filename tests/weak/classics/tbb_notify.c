// The lost wake-up of oneTBB's notify_by_address (PR 2136, 2026), in its parts: a waiter puts itself on the list and looks at the
// condition once more before it sleeps; who makes the condition true looks whether the list is empty, without the lock.
// Store buffering: without a full fence on each side the waiter sleeps and nobody wakes it. x86 reports it where nothing
// but a store comes before the look.
//
//                          sc  tso      c11
// - strong               : 5   5        5
// * NOTIFY_FENCE=acq_rel : 5   deadlock deadlock
// - NOTIFY_FENCE=relaxed : 5   deadlock deadlock
// - WAIT_FENCE=acq_rel   : 5   5        deadlock
// - WAIT_FENCE=relaxed   : 5   5        deadlock
#include <semaphore.h>

#include "classics.h"

#ifndef NOTIFY_FENCE
#define NOTIFY_FENCE seq_cst
#endif
#ifndef WAIT_FENCE
#define WAIT_FENCE seq_cst
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t wake;
static atomic_int waiters, condition;

static int TakeOne(void) {
  pthread_mutex_lock(&lock);
  const int found = LOAD(waiters, relaxed);
  STORE(waiters, 0, relaxed);
  pthread_mutex_unlock(&lock);
  return found;
}

static void* Wait(void* unused) {
  pthread_mutex_lock(&lock);
  STORE(waiters, 1, relaxed);
  pthread_mutex_unlock(&lock);
  FENCE(WAIT_FENCE);
  if (!LOAD(condition, acquire) || !TakeOne()) sem_wait(&wake);
  assert(LOAD(condition, relaxed));
  return unused;
}

static void* Notify(void* unused) {
  STORE(condition, 1, release);
  FENCE(NOTIFY_FENCE);
  if (LOAD(waiters, relaxed) && TakeOne()) sem_post(&wake);
  return unused;
}

int main(void) {
  sem_init(&wake, 0, 0);
  RunThreads(2, (Body[]){Wait, Notify});
}
