// A condition variable and a relaxed flag: who was woken sees the flag.
// Graphs: the flag is set before the other looks, or after it began to wait, 2.
// heddle: check --memory-model c11
// expect: verdict=clean executions=2 complete=true
// heddle: check --memory-model tso
// expect: verdict=clean executions=2 complete=true
#include <stdatomic.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int flag;
static int data;

static void* Send(void* unused) {
  data = 1;
  pthread_mutex_lock(&mutex);
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* Wait(void* unused) {
  pthread_mutex_lock(&mutex);
  while (!atomic_load_explicit(&flag, memory_order_relaxed)) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  assert(data == 1);
  return unused;
}

int main(void) { RunThreads(2, (Body[]){Send, Wait}); }
