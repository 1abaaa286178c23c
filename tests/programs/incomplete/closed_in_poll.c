// A thread waits in poll or select for a pipe when another closes its number. On Linux it goes on to wait for what it began to
// wait for, here for ever; explored is only that it comes too late.
// heddle: check
// expect: incomplete=closed-in-call
// heddle: check --reduction optimal -- select
// expect: incomplete=closed-in-call
#include <poll.h>
#include <sys/select.h>
#include <unistd.h>

#include "run_threads.h"

static int ends[2];
static int selects;

static void *Wait(void *arg) {
  struct pollfd one = {ends[0], POLLIN, 0};
  fd_set set;
  FD_ZERO(&set);
  FD_SET(ends[0], &set);
  if (selects)
    select(ends[0] + 1, &set, 0, 0, 0);
  else
    poll(&one, 1, -1);
  return arg;
}

int main(int argc, char **argv) {
  (void)argv;
  selects = argc > 1;
  assert(pipe(ends) == 0);
  pthread_t thread;
  pthread_create(&thread, 0, Wait, 0);
  close(ends[0]);
  pthread_join(thread, 0);
}
