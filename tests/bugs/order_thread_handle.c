// A thread that is started uses the handle that its creator has yet to store (the Mozilla pattern): the creator stores what it got
// from the library after the thread has begun.
// Interleaving: the new thread asks for its own entry before the creator has stored it. Eight threads are started; each looks up the one
// before it, whose entry was stored long ago, and only the last looks up its own.
// bug: preemptions=1 threads=9
// heddle: check --order random --seed 1 --no-minimise
// expect: verdict=bug kind=assertion
// fixed: check --order random --executions 2000
// expect: verdict=incomplete bugs=0
#include <stdatomic.h>

#include "run_threads.h"

enum { kThreads = 8 };

static atomic_int entry[kThreads];
static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;

static void *Work(void *arg) {
  int self = (int)(long)arg;
  pthread_mutex_lock(&table);
  int wanted = self == kThreads - 1 ? self : self - 1;
  if (wanted >= 0) assert(entry[wanted]);
  pthread_mutex_unlock(&table);
  return 0;
}

int main() {
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; i++) {
#ifdef FIXED
    pthread_mutex_lock(&table);
#endif
    pthread_create(&threads[i], 0, Work, (void *)(long)i);
#ifndef FIXED
    pthread_mutex_lock(&table);
#endif
    entry[i] = 1;
    pthread_mutex_unlock(&table);
  }
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], 0);
}
