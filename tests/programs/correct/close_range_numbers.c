// close_range looks which numbers are open, and closes one after the other. What another thread opens meanwhile stays open,
// unless it was there in time.
// Two numbers are open, and the other thread opens a third: before the look, or before, between or after the two closes.
// heddle: check
// expect: verdict=clean complete=true outcomes=0+open,2+open
// traces: 4 enumerated
// The first number is free: the other thread takes it before the look, and loses it, or before or after the close.
// heddle: check -- 1
// expect: verdict=clean complete=true outcomes=0+closed,0+open
// traces: 3 enumerated -- 1
// heddle: check --order depth-first --reduction bounded -- 1
// expect: verdict=clean complete=true outcomes=0+closed,0+open
#define _GNU_SOURCE
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <heddle.h>
#include <unistd.h>

#include "run_threads.h"

static int first, got;

static int IsOpen(int number) { return fcntl(number, F_GETFD) >= 0; }

static void *CloseBoth(void *arg) {
  assert(close_range((unsigned)first, (unsigned)first + 1, 0) == 0);
  return arg;
}

static void *Open(void *arg) {
  got = dup(0);
  return arg;
}

int main(int argc, char **argv) {
  (void)argv;
  first = dup(0);
  assert(dup(0) == first + 1);
  if (argc > 1) close(first);
  pthread_t closes, opens;
  pthread_create(&closes, 0, CloseBoth, 0);
  pthread_create(&opens, 0, Open, 0);
  pthread_join(closes, 0);
  pthread_join(opens, 0);
  assert(!IsOpen(first + 1));
  heddle_outcome("%d+%s", got - first, IsOpen(got) ? "open" : "closed");
  assert(close_range(2, 1, 0) == -1 && errno == EINVAL);
  DIR *volatile none = 0;
  assert(closedir(none) == -1 && errno == EINVAL);
}
