// The One Page Model Checker's table (section 6): threads of n statements each, a heddle_hook before
// every one. The first argument is the number of threads, the second n.
//
// With t threads there are (t n)! / n!^t orders. A call of heddle_hook counts once for every
// sequence of statements that leads to it. A thread makes its first call before anybody has made a
// statement; the call before its statement i+1 ends each sequence in which it has just made
// statement i, the others any number of theirs. With two threads that is
//   2 + 2 sum(i = 1 .. n-1, j = 0 .. n) C(i-1+j, j) = 2 C(2n, n-1),
// which is 22880 for n = 8; the paper prints 22876. With t threads the sum goes over the statements
// of all others, of multinomial coefficients: docs/algorithms/one_page.md.
// heddle: check --order depth-first --points hooks -- 2 3
// expect: verdict=clean complete=true executions=20 redundant=0 hooks=30
// heddle: check --order depth-first --points hooks -- 2 4
// expect: verdict=clean complete=true executions=70 hooks=112
// heddle: check --order depth-first --points hooks -- 2 5
// expect: verdict=clean complete=true executions=252 hooks=420
// heddle: check --order depth-first --points hooks -- 2 6
// expect: verdict=clean complete=true executions=924 hooks=1584
// heddle: check --order depth-first --points hooks -- 2 7
// expect: verdict=clean complete=true executions=3432 hooks=6006
// heddle: check --order depth-first --points hooks -- 2 8
// expect: verdict=clean complete=true executions=12870 hooks=22880
// Of one statement each: all calls are made before the first one.
// heddle: check --order depth-first --points hooks -- 5 1
// expect: verdict=clean complete=true executions=120 hooks=5
// heddle: check --order depth-first --points hooks -- 3 2
// expect: verdict=clean complete=true executions=90 hooks=60
// heddle: check --order depth-first --points hooks -- 3 3
// expect: verdict=clean complete=true executions=1680 hooks=1347
// heddle: check --order depth-first --points hooks -- 4 2
// expect: verdict=clean complete=true executions=2520 hooks=1088
// Other operations of a statement are no scheduling points, nor do they count.
// heddle: check --order depth-first --points hooks -- 2 3 locks
// expect: verdict=clean complete=true executions=20 hooks=30
#include <heddle.h>
#include <stdlib.h>

#include "run_threads.h"

static int statements, locks;
static int sums[kMostThreads];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *Run(void *arg) {
  for (int i = 0; i < statements; i++) {
    heddle_hook();
    if (locks) pthread_mutex_lock(&mutex);
    sums[(long)arg] += i;
    if (locks) pthread_mutex_unlock(&mutex);
  }
  if (arg != 0) heddle_done();  // with it or without, that is the last statement
  return 0;
}

int main(int argc, char **argv) {
  assert(argc >= 3);
  statements = atoi(argv[2]);
  locks = argc > 3;
  RunSame(atoi(argv[1]), Run);
}
