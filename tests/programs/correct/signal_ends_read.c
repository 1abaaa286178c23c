// pthread_kill ends a read that waits: it answers EINTR, as the handler is not to restart it. What servers do to stop their threads.
// heddle: check
// expect: verdict=clean complete=true
// The signal may also come before the read, or when it need not wait any more. As many executions with a reduction as there are graphs.
// heddle: check --order depth-first --reduction none
// expect: verdict=clean complete=true executions=172 happens_before=51
// heddle: check --order depth-first --reduction sleep-sets
// expect: verdict=clean complete=true executions=51
// heddle: check --order depth-first --reduction dpor
// expect: verdict=clean complete=true executions=51
// heddle: check --order depth-first --reduction source
// expect: verdict=clean complete=true executions=51
// heddle: check --order depth-first --reduction optimal
// expect: verdict=clean complete=true executions=51
// heddle: check --order depth-first --reduction happens-before
// expect: verdict=clean complete=true executions=51
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "run_threads.h"

static int ends[2];

static void Handle(int number) { (void)number; }

static void *Read(void *arg) {
  char byte;
  const ssize_t count = read(ends[0], &byte, 1);
  assert(count == 1 || errno == EINTR);
  return arg;
}

int main(void) {
  struct sigaction action = {.sa_handler = Handle};
  sigaction(SIGUSR1, &action, 0);
  assert(pipe(ends) == 0);
  pthread_t thread;
  pthread_create(&thread, 0, Read, 0);
  pthread_kill(thread, SIGUSR1);
  assert(write(ends[1], "x", 1) == 1);
  pthread_join(thread, 0);
}
