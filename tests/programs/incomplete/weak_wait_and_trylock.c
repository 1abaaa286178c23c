// A wait for a condition variable uses the condition and the mutex in one step. An attempt to lock that comes between the two in the
// order of the graph is in no execution, and one that succeeds after the wait was lost for it: it is no proof.
// heddle: check --memory-model c11
// expect: incomplete=reads-from-operation bugs=0
// heddle: check --memory-model sc --reduction reads-from
// expect: incomplete=reads-from-operation bugs=0
// heddle: check --memory-model sc --reduction optimal --order depth-first
// expect: verdict=clean complete=true
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
