// A test-and-set lock and a ticket lock made of atomics: both exclude, both end.
// heddle: check --bound preemptions=2
// expect: verdict=clean
// No number of graphs is stated: an exchange that finds the flag set is a write, and how many are made before the
// thread is known to wait is a matter of when that is noticed (docs/algorithms/spinning.md).
#include <stdatomic.h>

#include "run_threads.h"

static atomic_flag busy = ATOMIC_FLAG_INIT;
static atomic_uint next_ticket, serving;
static int x, y;

static void *Add(void *arg) {
  (void)arg;
  while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire)) {
  }
  x++;
  atomic_flag_clear_explicit(&busy, memory_order_release);

  unsigned mine = atomic_fetch_add(&next_ticket, 1);
  while (atomic_load_explicit(&serving, memory_order_acquire) != mine) {
  }
  y++;
  atomic_store_explicit(&serving, mine + 1, memory_order_release);
  return 0;
}

int main() {
  RunSame(2, Add);
  assert(x == 2 && y == 2);
}
