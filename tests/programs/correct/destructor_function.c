// Destructor functions of a module run at the end of every execution, after the exit handlers.
// heddle: check
// expect: verdict=clean complete=true outcomes=both
// Graphs: the threads do nothing, 1.
// traces: 1 enumerated
#include <heddle.h>
#include <stdlib.h>

#include "run_threads.h"

static int handled;

static void Handle(void) { handled = 1; }

__attribute__((destructor)) static void Destroy(void) {
  if (handled) heddle_outcome("both");
}

static void *Nothing(void *arg) { return arg; }

int main() {
  atexit(Handle);
  RunSame(2, Nothing);
}
