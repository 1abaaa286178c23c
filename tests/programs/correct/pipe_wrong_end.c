// To read from the end of a pipe that is written, or to write to the one that is read, fails at once: nobody waits.
// heddle: check
// expect: verdict=clean complete=true
// Two calls that use the same pipes: 2 orders.
// traces: 2 enumerated
#include <errno.h>
#include <unistd.h>

#include "run_threads.h"

static int ends[2];

static void *Read(void *arg) {
  char byte;
  assert(read(ends[1], &byte, 1) == -1 && errno == EBADF);
  return arg;
}

static void *Write(void *arg) {
  assert(write(ends[0], "x", 1) == -1 && errno == EBADF);
  return arg;
}

int main(void) {
  assert(pipe(ends) == 0);
  const Body bodies[] = {Read, Write};
  RunThreads(2, bodies);
}
