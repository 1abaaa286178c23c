// Flags of a descriptor that the program was started with, which it shares with whoever started it. One lock in each of two
// threads, C(2,1) = 2.
// heddle: check --reduction none
// expect: verdict=clean complete=true executions=2
#include <assert.h>
#include <fcntl.h>

#include "two_locks.h"

int main() {
  int flags = fcntl(0, F_GETFL);
  assert(flags >= 0 && (flags & O_NONBLOCK) == 0);
  assert(fcntl(0, F_SETFL, flags | O_NONBLOCK) == 0);
  assert((fcntl(0, F_GETFD) & FD_CLOEXEC) == 0);
  assert(fcntl(0, F_SETFD, FD_CLOEXEC) == 0);
  LockInTwoThreads();
}
