// A seeded bug of the work-stealing queue: a thief trusts what it saw before it had the lock, and takes an item that the owner has
// popped since. The owner never waits for a thief, so it has to be interrupted when it has pushed, and the thief when it has looked.
// compilers: gcc clang
// heddle: check --order context-bounded -- 1 1 1
// expect: verdict=bug kind=assertion preemptions=2 message~"<= 1"
// expect: guarantee~"any other bug needs at least 2 preemptions"
// heddle: check --bound preemptions=1 -- 1 1 1
// expect: verdict=clean complete=true completed_bound=1 guarantee~"any bug left needs at least 2 preemptions"
#include "work_stealing_the.h"

static int StealTrusting(void) {
  if (head >= tail) return kNoItem;
  pthread_mutex_lock(&thieves);
  int h = head;
  head = h + 1;
  int item = *Slot(h);
  pthread_mutex_unlock(&thieves);
  return item;
}

int main(int argc, char **argv) { RunQueue(argc, argv, (Functions){Push, Pop, StealTrusting}); }
