// Dekker's mutual exclusion (Dijkstra 1965), each thread enters once. Both raise a flag and look at the other's: store
// buffering, so all four accesses have to be seq_cst, or both may enter. x86 delays a store past a load, if either is weaker
// than seq_cst. The turn only says who yields; a flag that is taken back must be seen with what was done under it.
//
//                   sc   tso  c11
// - strong        : -    -    -
// - SET=release   : -    race race
// - LOOK=acquire  : -    race race
// - LEAVE=relaxed : race race race
// - TURN=seq_cst  : -    -    -
#include "classics.h"

#ifndef SET
#define SET seq_cst
#endif
#ifndef LOOK
#define LOOK seq_cst
#endif
#ifndef LEAVE
#define LEAVE release
#endif
#ifndef TURN
#define TURN relaxed
#endif

static atomic_int wants[2], turn;
static int entered;

static void* Enter(void* arg) {
  const int me = (int)(long)arg, other = 1 - me;
  STORE(wants[me], 1, SET);
  while (LOAD(wants[other], LOOK)) {
    if (LOAD(turn, TURN) == me) continue;
    STORE(wants[me], 0, relaxed);
    while (LOAD(turn, TURN) != me) continue;
    STORE(wants[me], 1, SET);
  }
  entered++;
  STORE(turn, other, TURN);
  STORE(wants[me], 0, LEAVE);
  return NULL;
}

int main(void) {
  RunThreads(2, (Body[]){Enter, Enter});
  assert(entered == 2);
}
