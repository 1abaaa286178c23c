// To move those who sleep at a futex to another one is not modelled under c11. Nobody waits here.
// heddle: check --release-sequences c++20 --memory-model c11 --reduction none
// expect: incomplete=weak-operation
// heddle: check --release-sequences c++20 --memory-model c11
// expect: incomplete=weak-operation,reads-from-operation
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "run_threads.h"

static atomic_int word, other;

static void* Set(void* unused) {
  atomic_store_explicit(&word, 1, memory_order_release);
  syscall(SYS_futex, &word, FUTEX_REQUEUE_PRIVATE, 1, 1, &other, 0);
  return unused;
}

int main(void) { RunSame(2, Set); }
