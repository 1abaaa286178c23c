// A worker calls exit(4); atexit handlers run, and the status counts.
// heddle: check
// expect: verdict=bug kind=exit-status message~4
// main only joins the thread: 1 execution.
// traces: 1 enumerated --keep-going
#include <stdlib.h>

#include "run_threads.h"

static int handlers;

static void Handler() {
  handlers++;
  if (handlers != 1) _Exit(5);
}

static void *Leave(void *arg) {
  (void)arg;
  exit(4);
}

int main() {
  atexit(Handler);
  RunSame(1, Leave);
}
