// What volatile means is a matter of --volatile. Plain: its accesses race. Atomic: they do not, and
// are scheduling points, so the lost update shows: two threads of a read and a write, 4 traces.
// heddle: check
// expect: verdict=bug kind=data-race location=@add
// heddle: check --volatile atomic
// expect: verdict=bug bugs=1 kind=assertion location=@assert preemptions=1
// heddle: check --volatile atomic --keep-going
// expect: verdict=bug bugs=1 complete=true executions=4
// expect: weak_memory=false weak_pair~add,add
// compilers: gcc clang   opt: -O0 -O2
// traces: 4 enumerated --volatile atomic --keep-going
#include "run_threads.h"

static volatile int n;

static void *Add(void *arg) {
  n = n + 1;  // @add
  return arg;
}

int main() {
  RunSame(2, Add);
  assert(n == 2);  // @assert
}
