// Under c11 a futex compares the newest value. Nobody waits here: to wake is one operation.
// heddle: check --release-sequences c++20 --memory-model c11 --reduction none
// expect: incomplete=weak-operation
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "run_threads.h"

static atomic_int word;

static void* Set(void* unused) {
  atomic_store_explicit(&word, 1, memory_order_release);
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
  return unused;
}

int main(void) { RunSame(2, Set); }
