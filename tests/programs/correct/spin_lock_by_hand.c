// A test-and-set lock and a ticket lock made of atomics: both exclude, both end.
// heddle: check --bound preemptions=2
// expect: verdict=clean
// Graphs: who gets the flag first, 2; the other one finds it set never, once or twice: each is a write, and before the third
// the thread is known to wait (docs/algorithms/spinning.md). Two orders of the tickets; the looks at them are in vain but for
// the last. 2 * 3 * 2 = 12.
// traces: 12 enumerated
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
