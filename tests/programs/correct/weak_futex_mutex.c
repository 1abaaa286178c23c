// A mutex made of a futex: 0 free, 1 locked, 2 locked and somebody may wait.
// heddle: check --release-sequences c++20 --memory-model c11
// expect: verdict=clean executions=12 complete=true
// heddle: check --release-sequences c++20 --memory-model tso
// expect: verdict=clean executions=12 complete=true
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "run_threads.h"

static atomic_int word;
static int counter;

static void Lock(void) {
  int found = 0;
  if (atomic_compare_exchange_strong_explicit(&word, &found, 1, memory_order_acquire, memory_order_relaxed)) return;
  if (found != 2) found = atomic_exchange_explicit(&word, 2, memory_order_acquire);
  while (found != 0) {
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, 0, 0, 0);
    found = atomic_exchange_explicit(&word, 2, memory_order_acquire);
  }
}

static void Unlock(void) {
  if (atomic_exchange_explicit(&word, 0, memory_order_release) == 2)
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}

static void* Count(void* unused) {
  Lock();
  ++counter;
  Unlock();
  return unused;
}

int main(void) {
  RunSame(2, Count);
  assert(counter == 2);
}
