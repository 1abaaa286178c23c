// A race on purpose hides a lost update: with --keep-going its accesses become scheduling points, and
// the search begins again until no new race appears. Two threads of four accesses to two variables,
// each a read and a write: 4 traces for each variable, 16 in all.
// heddle: check --keep-going
// expect: verdict=bug bugs=2 kinds=data-race,assertion complete=true executions=16 happens_before=16
// expect: kind=data-race location=@hint races=2
// expect: kind=assertion location=@assert preemptions=1
// heddle: check --keep-going --rewind fork
// expect: verdict=bug bugs=2 complete=true executions=16
// heddle: check --keep-going --order context-bounded
// expect: verdict=bug bugs=2 complete=true happens_before=16
// traces: 16 enumerated --keep-going
// compilers: gcc clang
#include <stdatomic.h>

#include "run_threads.h"

static volatile int hint;
static atomic_int x;

static void *Add(void *arg) {
  hint++;  // @hint
  int seen = x;
  x = seen + 1;
  return arg;
}

int main() {
  RunSame(2, Add);
  assert(x == 2);  // @assert
}
