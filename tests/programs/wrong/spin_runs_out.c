// Two bugs behind a loop that counts: one if the flag comes while it waits, one if its rounds run out before.
// opt: -O0 -O2   compilers: gcc clang
// heddle: check --keep-going
// expect: verdict=bug kinds=assertion bugs=2
// heddle: check --keep-going --order depth-first
// expect: verdict=bug kinds=assertion bugs=2
// No number of graphs is stated: what the counter is when the flag comes matters, so each number of rounds is another one.
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int flag;

static void *Wait(void *arg) {
  int rounds = 0;
  while (rounds < 50 && !atomic_load(&flag)) rounds++;
  if (rounds == 50)
    assert(!"ran out");
  else
    assert(rounds == 0);
  return arg;
}

static void *Set(void *arg) {
  flag = 1;
  return arg;
}

int main() { RunThreads(2, (Body[]){Wait, Set}); }
