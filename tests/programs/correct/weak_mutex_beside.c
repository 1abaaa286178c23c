// A relaxed flag that is set under a mutex and looked at beside it: who locks after having seen it sees the data.
// Graphs: it looks too early, 1; or sees the flag, and can lock only after the other, who was inside: 1. Under C11 it
// may see the flag of a thread that is inside still, which is no other graph.
// heddle: check --memory-model c11
// expect: verdict=clean executions=2 complete=true
// heddle: check --memory-model tso
// expect: verdict=clean executions=2 complete=true
#include <stdatomic.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag;
static int data;

static void* Send(void* unused) {
  pthread_mutex_lock(&mutex);
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  data = 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* Look(void* unused) {
  if (!atomic_load_explicit(&flag, memory_order_relaxed)) return unused;
  pthread_mutex_lock(&mutex);
  assert(data == 1);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) { RunThreads(2, (Body[]){Send, Look}); }
