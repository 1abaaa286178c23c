// A mutex made of syscall(SYS_futex), as people write it: excludes, never sleeps for ever, times
// out when asked to.
// compilers: gcc clang
// heddle: check --bound preemptions=2
// expect: verdict=clean
// Graphs: traces.py derives 8.
// traces: 8 enumerated
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "run_threads.h"

static atomic_int state;  // 0 free, 1 taken, 2 taken and somebody waits
static int x;

static long Futex(int operation, int value, const struct timespec *limit) {
  return syscall(SYS_futex, &state, operation, value, limit, 0, 0);
}

static void Lock() {
  int seen = 0;
  if (atomic_compare_exchange_strong(&state, &seen, 1)) return;
  while (atomic_exchange(&state, 2) != 0) Futex(FUTEX_WAIT_PRIVATE, 2, 0);
}

static void Unlock() {
  if (atomic_exchange(&state, 0) == 2) Futex(FUTEX_WAKE_PRIVATE, 1, 0);
}

static void *Add(void *arg) {
  (void)arg;
  Lock();
  x++;
  Unlock();
  return 0;
}

int main() {
  RunSame(2, Add);
  assert(x == 2);
  assert(Futex(FUTEX_WAIT_PRIVATE, 5, 0) == -1 && errno == EAGAIN);
  struct timespec millisecond = {0, 1000000};
  assert(Futex(FUTEX_WAIT_PRIVATE, 0, &millisecond) == -1 && errno == ETIMEDOUT);
}
