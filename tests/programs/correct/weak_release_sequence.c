// A relaxed read-modify-write continues the release sequence of what it reads, in either language.
// Graphs: the middle finds 0 or 1, and the last sees what was written: of 0 and 1, if the middle found 0, 2; of 0, 1
// and 2, if it found 1, 3. The middle then does nothing, or adds.
// heddle: check --memory-model c11
// expect: verdict=clean executions=5 complete=true
// heddle: check --memory-model tso
// expect: verdict=clean executions=5 complete=true
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int flag;
static int data;

static void* First(void* unused) {
  data = 1;
  atomic_store_explicit(&flag, 1, memory_order_release);
  return unused;
}

static void* Middle(void* unused) {
  int expected = 1;
  atomic_compare_exchange_strong_explicit(&flag, &expected, 2, memory_order_relaxed, memory_order_relaxed);
  return unused;
}

static void* Last(void* unused) {
  if (atomic_load_explicit(&flag, memory_order_acquire) != 0) assert(data == 1);
  return unused;
}

int main(void) { RunThreads(3, (Body[]){First, Middle, Last}); }
