// "twostage_N": writers set data1 under one lock and data2 = data1 + 1 under another; a reader that sees data1 set expects data2 to be there.
// Interleaving: the reader comes to its first lock after the first writer's first stage, and to its second before any writer's second. The more
// writers there are, the less likely.
// bug: preemptions=1 threads=4
// bug: name=suite_twostage_20 args=19 preemptions=1 threads=21
// bug: name=suite_twostage_100 args=99 preemptions=1 threads=101
// heddle: check
// expect: verdict=bug kind=assertion
// heddle: check --order context-bounded
// expect: verdict=bug kind=assertion preemptions=1
// fixed: check
// expect: verdict=clean complete=true
// fixed: check --order random --executions 500 -- 19
// expect: verdict=incomplete bugs=0
#include <stdlib.h>

#include "run_threads.h"

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static int data1, data2;

static void *Write(void *arg) {
  pthread_mutex_lock(&first);
  int mine = data1 = 1;
#ifndef FIXED
  pthread_mutex_unlock(&first);
#endif
  pthread_mutex_lock(&second);
  data2 = mine + 1;
  pthread_mutex_unlock(&second);
#ifdef FIXED
  pthread_mutex_unlock(&first);
#endif
  return arg;
}

static void *Read(void *arg) {
  pthread_mutex_lock(&first);
  int seen = data1;
  pthread_mutex_unlock(&first);
  if (seen == 0) return arg;
  pthread_mutex_lock(&second);
  assert(data2 == seen + 1);
  pthread_mutex_unlock(&second);
  return arg;
}

int main(int argc, char **argv) {
  int writers = argc > 1 ? atoi(argv[1]) : 2;
  pthread_t threads[100];
  assert(writers < 100);
  for (int i = 0; i < writers; i++) pthread_create(&threads[i], 0, Write, 0);
  pthread_create(&threads[writers], 0, Read, 0);
  for (int i = 0; i <= writers; i++) pthread_join(threads[i], 0);
}
