// Beside other threads, what the C library changes by itself is no step: a terminal that it opens,
// and a lock on a file.
// heddle: check
// expect: incomplete=unseen-syscall,unseen-syscall stdout~openat stdout~flock
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "run_threads.h"

static void *Open(void *arg) {
  assert(posix_openpt(O_RDWR) >= 0);
  return arg;
}

static void *Lock(void *arg) {
  assert(flock(0, LOCK_UN) == 0);
  return arg;
}

int main() { RunThreads(2, (Body[]){Open, Lock}); }
