// A coroutine on a stack in static memory, which looks at what another thread writes: a checkpoint knows nothing of how
// deep its thread is in its own stack.
// heddle: check --reduction optimal
// expect: verdict=clean complete=true executions=3 outcomes=0,2,3
// heddle: check --order depth-first --reduction none
// expect: verdict=clean complete=true executions=3 outcomes=0,2,3
// heddle: check
// expect: verdict=clean complete=true outcomes=0,2,3
#include <heddle.h>
#include <stdatomic.h>
#include <ucontext.h>

#include "run_threads.h"

static atomic_int flag;
static int seen;
static ucontext_t thread, coroutine;
static char stack[65536];

static void Look(void) {
  seen = flag;
  swapcontext(&coroutine, &thread);
  seen += 2 * flag;
}

static void *Run(void *arg) {
  getcontext(&coroutine);
  coroutine.uc_stack.ss_sp = stack;
  coroutine.uc_stack.ss_size = sizeof stack;
  coroutine.uc_link = &thread;
  makecontext(&coroutine, Look, 0);
  swapcontext(&thread, &coroutine);
  swapcontext(&thread, &coroutine);
  return arg;
}

static void *Write(void *arg) {
  flag = 1;
  return arg;
}

int main() {
  RunThreads(2, (Body[]){Run, Write});
  heddle_outcome("%d", seen);
}
