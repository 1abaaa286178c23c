// The __sync builtins of older code are atomics too.
// compilers: gcc clang
// heddle: check --order depth-first
// expect: verdict=clean complete=true
// No number of graphs is stated: an exchange that finds the lock taken is a write, and how many are made before the
// thread is known to wait is a matter of when that is noticed (docs/algorithms/spinning.md).
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
