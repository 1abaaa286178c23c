// A sequence lock without fences: the data may be read between two looks at the number that see none of its
// changes. FIXED: a release fence behind the first change, an acquire fence before the second look.
// Graphs, by what the reader sees of number, a, b, number: it gives up at 1 and at 2 sees all, 2. From 0: a and b
// as they are, each 0 or 1, and then 0, 1 or 2, 12. With fences, who has seen a or b as 1 cannot see 0 any more: 3 less.
// heddle: check --memory-model c11 --order depth-first --keep-going
// expect: verdict=bug kind=assertion bugs=1 executions=14
// heddle: check --memory-model tso
// expect: verdict=clean executions=11 complete=true
// fixed: check --memory-model c11
// expect: verdict=clean executions=11 complete=true
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int number, a, b;

static void* Write(void* unused) {
  atomic_store_explicit(&number, 1, memory_order_relaxed);
#ifdef FIXED
  atomic_thread_fence(memory_order_release);
#endif
  atomic_store_explicit(&a, 1, memory_order_relaxed);
  atomic_store_explicit(&b, 1, memory_order_relaxed);
  atomic_store_explicit(&number, 2, memory_order_release);
  return unused;
}

static void* Read(void* unused) {
  const int before = atomic_load_explicit(&number, memory_order_acquire);
  if (before % 2 == 1) return unused;
  const int first = atomic_load_explicit(&a, memory_order_relaxed);
  const int second = atomic_load_explicit(&b, memory_order_relaxed);
#ifdef FIXED
  atomic_thread_fence(memory_order_acquire);
#endif
  if (atomic_load_explicit(&number, memory_order_relaxed) == before) assert(first == second);
  return unused;
}

int main(void) { RunThreads(2, (Body[]){Write, Read}); }
