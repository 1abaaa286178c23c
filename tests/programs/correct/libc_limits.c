// An attribute of the process that one thread sets is set for the next execution no more: each runs in a process of its own.
// One lock in each of two threads, C(2,1) = 2.
// heddle: check --reduction none
// expect: verdict=clean complete=true executions=2
#include <assert.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "two_locks.h"

int main() {
  struct rlimit limit;
  assert(getrlimit(RLIMIT_SIGPENDING, &limit) == 0 && limit.rlim_cur != 77);
  limit.rlim_cur = 77;
  assert(setrlimit(RLIMIT_SIGPENDING, &limit) == 0);
  assert(prctl(PR_GET_TIMERSLACK) != 12345);
  assert(prctl(PR_SET_TIMERSLACK, 12345) == 0);
  LockInTwoThreads();
}
