// --reduction reads-from does not explore that a time limit passes at each time when it may.
// heddle: check --memory-model c11
// expect: incomplete=reads-from-operation
#include <time.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* Lock(void* unused) {
  const struct timespec limit = {.tv_sec = 1};
  if (pthread_mutex_timedlock(&mutex, &limit) == 0) pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) { RunSame(2, Lock); }
