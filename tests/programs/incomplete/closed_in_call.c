// A thread waits in read for a pipe when another closes its number. On Linux it goes on to wait for what it began to read, and gets the
// byte; explored is only that its read comes too late.
// heddle: check
// expect: incomplete=closed-in-call
// heddle: check --reduction optimal
// expect: incomplete=closed-in-call
// heddle: check -- replace
// expect: incomplete=closed-in-call
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "run_threads.h"

static int ends[2];

static void *Read(void *arg) {
  char byte;
  const ssize_t count = read(ends[0], &byte, 1);
  assert(count >= 0 || errno == EBADF);
  return arg;
}

int main(int argc, char **argv) {
  (void)argv;
  signal(SIGPIPE, SIG_IGN);
  assert(pipe(ends) == 0);
  pthread_t thread;
  pthread_create(&thread, 0, Read, 0);
  if (argc > 1) {
    int others[2];
    assert(pipe(others) == 0 && close(others[1]) == 0);
    assert(dup2(others[0], ends[0]) == ends[0]);
  } else {
    close(ends[0]);
  }
  const ssize_t count = write(ends[1], "x", 1);
  assert(count == 1 || errno == EPIPE);
  pthread_join(thread, 0);
}
