// Peterson's mutual exclusion with relaxed accesses and fences. x86 needs the fence behind the turn, which keeps the load of
// the other's flag from going before. C11 needs one between flag and turn as well: else the turn may be given away last by
// a thread that does not see the other's flag.
//
//                    sc   tso  c11
// - strong         : -    -    -
// - BEFORE=release : -    -    race
// - BEFORE=relaxed : -    -    race
// - BEHIND=acq_rel : -    race race
// - BEHIND=relaxed : -    race race
// - LOOK=relaxed   : race race race
// - LEAVE=relaxed  : race race race
#include "classics.h"

#ifndef BEFORE
#define BEFORE seq_cst
#endif
#ifndef BEHIND
#define BEHIND seq_cst
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
  STORE(wants[me], 1, relaxed);
  FENCE(BEFORE);
  STORE(turn, other, relaxed);
  FENCE(BEHIND);
  while (LOAD(wants[other], LOOK) && LOAD(turn, relaxed) == other) continue;
  entered++;
  STORE(wants[me], 0, LEAVE);
  return NULL;
}

int main(void) {
  RunThreads(2, (Body[]){Enter, Enter});
  assert(entered == 2);
}
