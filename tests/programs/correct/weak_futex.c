// A futex compares under the lock of the kernel, behind a fence; and whom a wake lets go knows all that came before it.
// Graphs: the wait comes after the wake, or before it, and then finds 0 and sleeps, or finds 1; with 1 found it may have missed
// x, under c11, as a futex that does not sleep acquires nothing of the word.
// heddle: check --release-sequences c++20 --memory-model c11
// expect: verdict=clean executions=4 complete=true
// heddle: check --release-sequences c++20 --memory-model tso
// expect: verdict=clean executions=3 complete=true
// heddle: check --release-sequences c++20 --memory-model sc --reduction reads-from
// expect: verdict=clean executions=3 complete=true
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "run_threads.h"

static atomic_int word, x;

static void* Wake(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&word, 1, memory_order_relaxed);
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
  return unused;
}

static void* Wait(void* unused) {
  const int slept = syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0) == 0;
  const int seen = atomic_load_explicit(&x, memory_order_relaxed);
  assert(!slept || seen == 1);
  assert(atomic_load_explicit(&word, memory_order_relaxed) == 1);
  return unused;
}

int main(void) {
  const Body bodies[] = {Wake, Wait};
  RunThreads(2, bodies);
}
