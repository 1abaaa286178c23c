// Three threads take a lock by an exchange, one after the other, and note in which order they got it and who found it taken.
// WAIT is what they do until they try again: by a pointer, heddle could not follow the loop.
#pragma once

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int lock;
static int order;      // the threads that had the lock, as digits to the base of 4
static int waited[4];  // by thread

static void *TakeOnce(void *thread) {
  const long k = (long)thread;
  int waits = 0;
  while (atomic_exchange(&lock, 1)) {
    waits = 1;
    WAIT;
  }
  order = order * 4 + (int)k;
  atomic_store(&lock, 0);
  waited[k] = waits;
  return 0;
}

static void TakeAll(void) {
  pthread_t threads[3];
  for (long k = 0; k < 3; ++k) pthread_create(&threads[k], 0, TakeOnce, (void *)(k + 1));
  for (int k = 0; k < 3; ++k) pthread_join(threads[k], 0);
}
