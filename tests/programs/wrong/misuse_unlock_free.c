// A mutex is unlocked once too often; by a thread that does not hold it: unlock_not_owned.c.
// heddle: check
// expect: verdict=bug kind=misuse location=@unlock message~"mutex, which is not locked"
// main only joins the thread: 1 execution.
// traces: 1 enumerated --keep-going
#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *Work(void *arg) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&mutex);  // @unlock
  return arg;
}

int main() { RunSame(1, Work); }
