// Who wakes looks first whether anybody waits: its store must not be behind that look (store buffering with the kernel's
// comparison). x86 loses the wake-up, too.
// heddle: check --release-sequences c++20 --memory-model c11 --keep-going
// expect: verdict=bug bugs=1 kind=deadlock
// heddle: check --release-sequences c++20 --memory-model tso --keep-going
// expect: verdict=bug bugs=1 kind=deadlock
// heddle: check --release-sequences c++20 --memory-model sc --reduction reads-from
// expect: verdict=clean complete=true
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "run_threads.h"

static atomic_int word, waiters;

static void* Wake(void* unused) {
  atomic_store_explicit(&word, 1, memory_order_relaxed);
  if (atomic_load_explicit(&waiters, memory_order_relaxed) != 0) syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
  return unused;
}

static void* Wait(void* unused) {
  while (atomic_load_explicit(&word, memory_order_relaxed) == 0) {
    atomic_fetch_add_explicit(&waiters, 1, memory_order_relaxed);
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
    atomic_fetch_sub_explicit(&waiters, 1, memory_order_relaxed);
  }
  return unused;
}

int main(void) {
  const Body bodies[] = {Wake, Wait};
  RunThreads(2, bodies);
}
