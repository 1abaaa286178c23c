// The counter of a loop that waits lies in memory: in a global variable, or in a block that is reached by a pointer. Like one
// in a register (spin_counted.c), but what was written is known from the first round on, not from the first look: the
// loop is known to count at its fourth look. So the flag is set before the first look, after the first, second or third
// one, while the loop waits, or the rounds run out: 6. Also where each access to the counter is a scheduling point: as long
// as nobody else looks at it, it makes no difference how far it has come. (101 before.)
// compilers: gcc clang   opt: -O0 -O2
// heddle: check -- global
// expect: verdict=clean complete=true executions=6 outcomes=woken,ran-out
// heddle: check -- block
// expect: verdict=clean complete=true executions=6 outcomes=woken,ran-out
// heddle: check --reduction source -- endless
// expect: verdict=clean complete=true outcomes=woken
// traces: 6 enumerated -- global
// traces: 6 enumerated -- block
// traces: 6 enumerated --points all -- global
// traces: 6 enumerated --points all -- block
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
