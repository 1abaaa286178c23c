// A ticket lock (Reed and Kanodia 1979): a number is taken relaxed, as only who is served matters.
// Executions: the order of the tickets, n! of them; waiting is no choice.
//
//                   sc   tso  c11
// - strong        : 2    2    2
// - TAKE=acq_rel  : 2    2    2
// - SERVE=relaxed : race race race
// - WAIT=relaxed  : race race race
// - THREADS=3     : 6    6    6
#include "classics.h"

#ifndef TAKE
#define TAKE relaxed
#endif
#ifndef WAIT
#define WAIT acquire
#endif
#ifndef SERVE
#define SERVE release
#endif
#ifndef THREADS
#define THREADS 2
#endif

static atomic_int next, served;
static int entered;

static void* Enter(void* unused) {
  const int mine = ADD(next, 1, TAKE);
  while (LOAD(served, WAIT) != mine) continue;
  entered++;
  STORE(served, mine + 1, SERVE);
  return unused;
}

int main(void) {
  RunThreads(THREADS, (Body[]){Enter, Enter, Enter});
  assert(entered == THREADS);
}
