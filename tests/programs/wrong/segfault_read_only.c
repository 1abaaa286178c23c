// A write to a string literal: the page is there, but not for writing.
// heddle: check
// expect: verdict=bug kind=crash message~read-only location=@crash
// main only joins the thread: 1 execution.
// traces: 1 enumerated --keep-going
#include "run_threads.h"

static char *volatile literal = "constant";

static void *Write(void *arg) {
  (void)arg;
  literal[0] = 'C';  // @crash
  return 0;
}

int main() { RunSame(1, Write); }
