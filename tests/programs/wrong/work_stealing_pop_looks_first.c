// A seeded bug of the work-stealing queue: the owner looks at the head before it lowers the tail, and not afterwards. A thief that
// comes in between takes the last item, too. The owner has to be interrupted once.
// compilers: gcc clang
// heddle: check --order context-bounded -- 1 1 1
// expect: verdict=bug kind=assertion preemptions=1 message~"<= 1"
// expect: guarantee~"any other bug needs at least 1 preemption"
// heddle: check --bound preemptions=0 -- 1 1 1
// expect: verdict=clean complete=true completed_bound=0 guarantee~"any bug left needs at least 1 preemption"
#include "work_stealing_the.h"

static int PopLookingFirst(void) {
  int t = tail - 1;
  if (head <= t) {
    tail = t;
    return *Slot(t);
  }
  pthread_mutex_lock(&thieves);
  int item = kNoItem;
  if (head <= t) {
    tail = t;
    item = *Slot(t);
  }
  pthread_mutex_unlock(&thieves);
  return item;
}

int main(int argc, char **argv) { RunQueue(argc, argv, (Functions){Push, PopLookingFirst, Steal}); }
