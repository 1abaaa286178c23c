// Peterson's lock, whose stores only release and whose loads only acquire: both threads may be inside at once,
// so they race. FIXED: a seq_cst fence between what a thread says and what it looks at is enough on x86. C11 asks for
// one between the two stores, too: else the other may see the later one and place it before its own.
// heddle: check --release-sequences c++20 --memory-model c11
// expect: verdict=bug kind=data-race location=@inside
// heddle: check --release-sequences c++20 --memory-model tso
// expect: verdict=bug kind=data-race location=@inside
// heddle: check --release-sequences c++20 --memory-model sc --reduction reads-from
// expect: verdict=clean complete=true
// fixed: check --release-sequences c++20 --memory-model c11 -- 1
// expect: verdict=bug kind=data-race location=@inside
// fixed: check --release-sequences c++20 --memory-model c11 -- 2
// expect: verdict=clean complete=true
// fixed: check --release-sequences c++20 --memory-model tso -- 1
// expect: verdict=clean complete=true
#include <stdatomic.h>
#include <stdlib.h>

#include "run_threads.h"

static atomic_int wants[2], turn;
static int inside;
static int fences = 2;

static void* Enter(void* arg) {
  const int me = (int)(long)arg;
  atomic_store_explicit(&wants[me], 1, memory_order_release);
#ifdef FIXED
  if (fences == 2) atomic_thread_fence(memory_order_seq_cst);
#endif
  atomic_store_explicit(&turn, 1 - me, memory_order_release);
#ifdef FIXED
  atomic_thread_fence(memory_order_seq_cst);
#endif
  while (atomic_load_explicit(&wants[1 - me], memory_order_acquire) == 1 &&
         atomic_load_explicit(&turn, memory_order_acquire) == 1 - me)
    continue;
  ++inside;  // @inside
  atomic_store_explicit(&wants[me], 0, memory_order_release);
  return 0;
}

int main(int argc, char** argv) {
  if (argc > 1) fences = atoi(argv[1]);
  RunSame(2, Enter);
  assert(inside == 2);
}
