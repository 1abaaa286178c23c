// A seeded bug of the work-stealing queue: an owner that met a thief takes the lock, but does not look at the head again once it
// has it. If the thief saw the owner, too, and gave way, then the last item stays in the queue, and the owner ends without it.
// The owner has to be interrupted when it has pushed, and the thief between raising the head and looking at the tail; while
// the thief gives way, the owner waits for the lock, which costs nothing.
// compilers: gcc clang
// heddle: check --order context-bounded -- 1 1 1
// expect: verdict=bug kind=assertion preemptions=2 message~">= 1"
// expect: guarantee~"any other bug needs at least 2 preemptions"
// heddle: check --bound preemptions=1 -- 1 1 1
// expect: verdict=clean complete=true completed_bound=1 guarantee~"any bug left needs at least 2 preemptions"
#include "work_stealing_the.h"

static int PopWithoutSecondLook(void) {
  int t = tail - 1;
  tail = t;
  if (head <= t) return *Slot(t);
  pthread_mutex_lock(&thieves);
  tail = t + 1;
  pthread_mutex_unlock(&thieves);
  return kNoItem;
}

int main(int argc, char **argv) { RunQueue(argc, argv, (Functions){Push, PopWithoutSecondLook, Steal}); }
