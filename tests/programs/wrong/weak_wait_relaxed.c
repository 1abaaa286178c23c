// A thread waits for a flag by relaxed loads: what was written before the flag races. FIXED: a fence behind the loop.
// Graphs: rounds in which the flag is not set are no part of one, 1.
// heddle: check --memory-model c11
// expect: verdict=bug kind=data-race location=@write location=@read
// fixed: check --memory-model c11
// expect: verdict=clean executions=1 complete=true
// fixed: check --memory-model tso
// expect: verdict=clean executions=1 complete=true
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int flag;
static int data;

static void* Send(void* unused) {
  data = 1;  // @write
  atomic_store_explicit(&flag, 1, memory_order_release);
  return unused;
}

static void* Wait(void* unused) {
  while (!atomic_load_explicit(&flag, memory_order_relaxed)) continue;
#ifdef FIXED
  atomic_thread_fence(memory_order_acquire);
#endif
  assert(data == 1);  // @read
  return unused;
}

int main(void) { RunThreads(2, (Body[]){Send, Wait}); }
