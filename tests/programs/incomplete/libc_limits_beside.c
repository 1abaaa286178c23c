// What one thread asks of the kernel by a function that heddle does not know another thread can see, and it is no step.
// heddle: check
// expect: incomplete=unseen-syscall stdout~prlimit64 stdout~setrlimit
#include <assert.h>
#include <sys/resource.h>

#include "run_threads.h"

static void *Set(void *arg) {
  struct rlimit limit;
  assert(getrlimit(RLIMIT_CORE, &limit) == 0);
  limit.rlim_cur = 0;
  assert(setrlimit(RLIMIT_CORE, &limit) == 0);
  return arg;
}

int main() { RunSame(2, Set); }
