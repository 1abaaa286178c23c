// Two threads that take one lock each, once: 2 executions, C(2,1), so that what one leaves behind meets another one.
#pragma once

#include "run_threads.h"

static pthread_mutex_t lock_of_two = PTHREAD_MUTEX_INITIALIZER;

static void *LockOnce(void *arg) {
  pthread_mutex_lock(&lock_of_two);
  pthread_mutex_unlock(&lock_of_two);
  return arg;
}

static void LockInTwoThreads(void) { RunSame(2, LockOnce); }
