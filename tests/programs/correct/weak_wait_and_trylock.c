// A wait for a condition variable uses the condition and the mutex in one step: no attempt to lock comes in between.
// Graphs: the first attempt comes before the waiter's section, in it, or after its wait, and then the flag is set; or all of that
// comes before the waiter, who need not wait: 4. The second attempt comes before the waiter's last section, in it, or behind it: 3
// for each, 12.
// heddle: check --memory-model c11 --reduction reads-from
// expect: verdict=clean complete=true executions=12
// heddle: check --memory-model sc --reduction reads-from
// expect: verdict=clean complete=true executions=12
// heddle: check --memory-model sc --reduction optimal --order depth-first
// expect: verdict=clean complete=true executions=12
#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int flag;

static void* Wait(void* unused) {
  pthread_mutex_lock(&mutex);
  while (!flag) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void Try(void) {
  if (pthread_mutex_trylock(&mutex) == 0) pthread_mutex_unlock(&mutex);
}

static void* Set(void* unused) {
  Try();
  pthread_mutex_lock(&mutex);
  flag = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  Try();
  return unused;
}

int main(void) {
  const Body bodies[] = {Wait, Set};
  RunThreads(2, bodies);
}
