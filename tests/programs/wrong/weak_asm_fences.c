// Store buffering with fences of x86. lfence and sfence leave it: only mfence (FIXED) keeps a load from going before an
// older store. The one thread has it as an asm statement, the other one as an intrinsic.
// heddle: check --memory-model tso
// expect: verdict=bug kind=assertion
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check --memory-model tso
// expect: verdict=clean executions=3 complete=true
// fixed: check
// expect: verdict=clean complete=true
#include <immintrin.h>
#include <stdatomic.h>

#include "run_threads.h"

#ifdef FIXED
#define FENCE "mfence"
#define Fence _mm_mfence
#else
#define FENCE "lfence; sfence"
#define Fence _mm_sfence
#endif

static atomic_int x, y;
static int seen_x, seen_y;

static void* First(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  __asm__ volatile(FENCE ::: "memory");
  seen_y = atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}

static void* Second(void* unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  Fence();
  seen_x = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  RunThreads(2, (Body[]){First, Second});
  assert(seen_x || seen_y);
}
