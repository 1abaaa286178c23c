// Every execution shows a race and then fails an assertion: two bugs, and the schedule of each
// replays as what it was recorded for.
// heddle: check --keep-going
// expect: verdict=bug bugs=2 kinds=data-race,assertion
// expect: kind=data-race location=@write
// expect: kind=assertion location=@assert
// Graphs: the two writes, scheduling points once they have raced, in two orders.
// traces: 2 enumerated --keep-going
#include "run_threads.h"

static int x;

static void *Write(void *arg) {
  x = 1;  // @write
  return arg;
}

int main() {
  RunSame(2, Write);
  assert(x == 2);  // @assert
}
