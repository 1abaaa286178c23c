// The C library writes to a pipe between threads by itself: not a step.
// heddle: check
// expect: incomplete=unseen-syscall,unseen-syscall stdout~dprintf
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <unistd.h>

#include "run_threads.h"

static int ends[2];

static void *Write(void *arg) {
  assert(dprintf(ends[1], "x") == 1);
  return arg;
}

static void *Read(void *arg) {
  char c;
  assert(read(ends[0], &c, 1) == 1);
  return arg;
}

int main() {
  assert(pipe(ends) == 0);
  RunThreads(2, (Body[]){Write, Read});
}
