// The counter of a loop that waits lies in memory: in a global variable, or in a block that is reached by a pointer. Others may look
// at it, so each number of rounds is another state, up to 16 in which nothing was changed, and the search is not complete.
// The first round is not known to be idle, so the thread waits after 18 looks: the flag is set before one of them, or
// while it waits, or the rounds run out: 20. With --idle-rounds 100 all are explored: before one of the 100 looks, or after the last: 101.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check -- global
// expect: verdict=incomplete complete=false executions=20 outcomes=woken,ran-out stdout~"up to 16 rounds"
// heddle: check -- block
// expect: verdict=incomplete complete=false executions=20 outcomes=woken,ran-out stdout~"up to 16 rounds"
// heddle: check --idle-rounds 100 -- global
// expect: verdict=clean complete=true executions=101 outcomes=woken,ran-out
// heddle: check --reduction source -- endless
// expect: verdict=incomplete complete=false outcomes=woken
// No number of graphs is stated, because the search is not complete.
#include <heddle.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "run_threads.h"

struct Statistics {
  char used;
  short rounds;
};

static atomic_int flag;
static const char *kind;
static long rounds;

static void *WaitGlobal(void *arg) {
  while (!atomic_load(&flag)) {
    if (++rounds == 100) {
      heddle_outcome("ran-out");
      return arg;
    }
  }
  heddle_outcome("woken");
  return arg;
}

static void *WaitBlock(void *arg) {
  struct Statistics *statistics = arg;
  while (!atomic_load(&flag)) {
    statistics->used = 1;
    if (++statistics->rounds == 100) {
      heddle_outcome("ran-out");
      return arg;
    }
  }
  heddle_outcome("woken");
  return arg;
}

static void *WaitEndless(void *arg) {
  while (!atomic_load(&flag)) ++rounds;
  heddle_outcome("woken");
  return arg;
}

int main(int argc, char **argv) {
  kind = argc > 1 ? argv[1] : "global";
  struct Statistics *statistics = calloc(1, sizeof *statistics);
  pthread_t thread;
  void *(*wait)(void *) = strcmp(kind, "global") == 0  ? WaitGlobal
                          : strcmp(kind, "block") == 0 ? WaitBlock
                                                       : WaitEndless;
  pthread_create(&thread, 0, wait, statistics);
  flag = 1;
  pthread_join(thread, 0);
  free(statistics);
}
