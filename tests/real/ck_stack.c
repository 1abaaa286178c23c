// Concurrency Kit's lock-free stack: two threads push, one pops. Its nodes' links are plain, so it
// has fewer steps than the stacks of tests/programs/correct (treiber_stack.cpp, asm_treiber_stack.c),
// and the same 20 traces.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check --order depth-first --leaks --uninitialised
// expect: verdict=clean complete=true executions=52 happens_before=20 warnings=0
// traces: 20 enumerated
#include <ck_stack.h>
#include <stddef.h>

#include "run_threads.h"

static ck_stack_t stack = CK_STACK_INITIALIZER;
static ck_stack_entry_t entries[2];
static ck_stack_entry_t *popped;

static void *Push(void *arg) {
  ck_stack_push_upmc(&stack, &entries[(long)arg]);
  return NULL;
}

static void *Pop(void *arg) {
  popped = ck_stack_pop_upmc(&stack);
  return arg;
}

int main(void) {
  const Body bodies[] = {Push, Push, Pop};
  RunThreads(3, bodies);
  int left = 0;
  for (ck_stack_entry_t *entry; (entry = ck_stack_pop_upmc(&stack)) != NULL;) {
    assert(entry != popped);
    left++;
  }
  assert(left == (popped ? 1 : 2));
}
