// Peterson's mutual exclusion (1981) without fences: as Williams has it, the turn is given away by an exchange. The second
// exchange reads from the first, so that who waits knows that the other one is there. An exchange is a fence of x86.
//
//                   sc   tso  c11
// - strong        : -    -    -
// * GIVE=release  : -    -    race
// - GIVE=acquire  : -    -    race
// - GIVE=relaxed  : -    -    race
// - LOOK=relaxed  : race race race
// - LEAVE=relaxed : race race race
// - SET=seq_cst   : -    -    -
#include "classics.h"

#ifndef SET
#define SET relaxed
#endif
#ifndef GIVE
#define GIVE acq_rel
#endif
#ifndef LOOK
#define LOOK acquire
#endif
#ifndef LEAVE
#define LEAVE release
#endif

static atomic_int wants[2], turn;
static int entered;

static void* Enter(void* arg) {
  const int me = (int)(long)arg, other = 1 - me;
  STORE(wants[me], 1, SET);
  EXCHANGE(turn, other, GIVE);
  while (LOAD(wants[other], LOOK) && LOAD(turn, relaxed) == other) continue;
  entered++;
  STORE(wants[me], 0, LEAVE);
  return NULL;
}

int main(void) {
  RunThreads(2, (Body[]){Enter, Enter});
  assert(entered == 2);
}
