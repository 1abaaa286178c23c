// A seeded bug of the work-stealing queue: the owner fills the last slot, too. While a thief has raised the head and not yet read
// its item, the slot of that item looks free, and the owner overwrites it. The owner has to be interrupted once, when it has pushed:
// that it comes back only when the thief has read does not order the two.
// compilers: gcc clang
// heddle: check --order context-bounded -- 1 3 1
// expect: verdict=bug kind=data-race preemptions=1 location=@overwrites
// expect: guarantee~"any other bug needs at least 1 preemption"
// heddle: check --bound preemptions=0 -- 1 3 1
// expect: verdict=clean complete=true completed_bound=0 guarantee~"any bug left needs at least 1 preemption"
#include "work_stealing_the.h"

static bool PushIntoLastSlot(int item) {
  int t = tail;
  if (t - head > size) return false;
  *Slot(t) = item;  // @overwrites
  tail = t + 1;
  return true;
}

int main(int argc, char **argv) { RunQueue(argc, argv, (Functions){PushIntoLastSlot, Pop, Steal}); }
