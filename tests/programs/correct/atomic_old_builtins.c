// The __sync builtins of older code are atomics too.
// compilers: gcc clang
// heddle: check --order depth-first
// expect: verdict=clean complete=true
// Graphs: two orders of the additions; who gets the lock first, 2; and the other one finds it taken never, once or twice:
// each exchange is a write, and before the third the thread is known to wait (docs/algorithms/spinning.md). 2 * 2 * 3 = 12.
// traces: 12 enumerated
#include "run_threads.h"

static int x, lock;
static int guarded;

static void *Add(void *arg) {
  (void)arg;
  __sync_fetch_and_add(&x, 1);
  while (__sync_lock_test_and_set(&lock, 1)) {
  }
  guarded++;
  __sync_lock_release(&lock);
  return 0;
}

int main() {
  RunSame(2, Add);
  assert(__sync_val_compare_and_swap(&x, 2, 5) == 2);
  assert(__sync_bool_compare_and_swap(&x, 5, 6) && guarded == 2);
  __sync_synchronize();
  assert(__sync_sub_and_fetch(&x, 6) == 0);
}
