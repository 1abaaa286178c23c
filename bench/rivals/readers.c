// readers N: one thread writes a variable and N others read it.
// Traces: 2^N, as every reader comes before or after the writer, and readers do not depend on one
// another.
#include <stdatomic.h>

#include "start.h"

static atomic_int x;
static int seen[kMostThreads];

static void* ReadOrWrite(void* arg) {
  const int me = (int)(long)arg;
  if (me == 0)
    x = 1;
  else
    seen[me] = x;
  return NULL;
}

int main(int argc, char** argv) {
  (void)argc;
  RunThreads(1 + Number(argv[1], "the number of readers", 1, kMostThreads - 1), ReadOrWrite);
  return 0;
}
