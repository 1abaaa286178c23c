// The pruned half of the One Page Model Checker's table (section 6): threads of n statements each,
// every one on a variable of its own thread. The first argument is the number of threads, the second
// n, and "all" has all memory compared.
//
// What is shared follows from the counters, so every combined execution counter is explored once:
// (n+1)^t of them for t threads. A statement of a thread is made from every counter in which it is
// its next, and the call of heddle_hook that it ends with counts there, unless it is its last:
//   t ((n-1) (n+1)^(t-1) + 1)
// with the calls before the first statement. For two threads that is 2 n^2.
// Each of the executions but the first begins with a statement that is not the first one made from
// its counter: one for each thread that has one left, but one, at every counter at which some has:
//   1 + (t n (n+1)^(t-1) - ((n+1)^t - 1))
// All but the first end where they come to a counter that is known.
// heddle: check --preset one-page -- 2 3
// expect: verdict=clean complete=true executions=1 redundant=9 hooks=18 states=16
// heddle: check --preset one-page -- 2 4
// expect: verdict=clean complete=true executions=1 redundant=16 hooks=32 states=25
// heddle: check --preset one-page -- 2 5
// expect: verdict=clean complete=true executions=1 redundant=25 hooks=50 states=36
// heddle: check --preset one-page -- 2 6
// expect: verdict=clean complete=true executions=1 redundant=36 hooks=72 states=49
// heddle: check --preset one-page -- 2 7
// expect: verdict=clean complete=true executions=1 redundant=49 hooks=98 states=64
// heddle: check --preset one-page -- 2 8
// expect: verdict=clean complete=true executions=1 redundant=64 hooks=128 states=81
// heddle: check --preset one-page -- 2 50
// expect: verdict=clean complete=true executions=1 redundant=2500 hooks=5000 states=2601
// heddle: check --preset one-page -- 3 2
// expect: verdict=clean complete=true executions=1 redundant=28 hooks=30 states=27
// heddle: check --preset one-page -- 3 3
// expect: verdict=clean complete=true executions=1 redundant=81 hooks=99 states=64
// heddle: check --preset one-page -- 4 2
// expect: verdict=clean complete=true executions=1 redundant=136 hooks=112 states=81
// heddle: check --preset one-page -- 5 1
// expect: verdict=clean complete=true executions=1 redundant=49 hooks=5 states=32
#include <heddle.h>
#include <stdlib.h>
#include <string.h>

#include "run_threads.h"

static int statements;
static int sums[kMostThreads];

static void *Run(void *arg) {
  for (int i = 0; i < statements; i++) {
    heddle_hook();
    sums[(long)arg] += i + 1;
  }
  heddle_done();
  return 0;
}

int main(int argc, char **argv) {
  assert(argc >= 3);
  statements = atoi(argv[2]);
  if (argc == 3) heddle_shared(sums, sizeof sums);
  RunSame(atoi(argv[1]), Run);
}
