// More than a pipe holds goes through it piece by piece, and an event counter and poll work
// between threads as well.
// heddle: check --order context-bounded --executions 50
// expect: verdict=incomplete executions<=50
// No number of graphs is stated: in how many pieces the bytes go through is the kernel's matter.
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "run_threads.h"

enum { kBytes = 200000 };
static int ends[2], event;
static char sent[kBytes], received[kBytes];

static void *Send(void *arg) {
  (void)arg;
  memset(sent, 'x', sizeof sent);
  assert(write(ends[1], sent, sizeof sent) == sizeof sent);
  assert(eventfd_write(event, 3) == 0);
  return 0;
}

int main() {
  assert(pipe(ends) == 0);
  event = eventfd(0, 0);
  pthread_t thread;
  pthread_create(&thread, 0, Send, 0);
  for (int got = 0; got < kBytes;) {
    ssize_t count = read(ends[0], received + got, sizeof received - (size_t)got);
    assert(count > 0);
    got += (int)count;
  }
  assert(received[kBytes - 1] == 'x');
  struct pollfd wait = {event, POLLIN, 0};
  assert(poll(&wait, 1, -1) == 1 && wait.revents == POLLIN);
  eventfd_t value;
  assert(eventfd_read(event, &value) == 0 && value == 3);
  assert(poll(&wait, 1, 10) == 0);
  pthread_join(thread, 0);
}
