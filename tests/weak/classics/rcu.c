// Read-copy-update in user space, by a counter of each reader and full fences (Desnoyers et al., TPDS 2012): the updater replaces
// what readers point to, waits until none is inside, and reuses the old one. A reader says that it is inside, then loads the
// pointer; the updater stores the pointer, then looks who is inside: store buffering.
//
//                         sc   tso  c11
// - strong              : 3    3    3
// - ENTER_FENCE=acq_rel : 3    race race
// - SYNC_FENCE=acq_rel  : 3    race race
// - LEAVE=relaxed       : race race race
// - WAIT=relaxed        : race race race
// - PUBLISH=relaxed     : race race race
// - DEREFERENCE=relaxed : race race race
#include "classics.h"

#ifndef ENTER_FENCE
#define ENTER_FENCE seq_cst
#endif
#ifndef SYNC_FENCE
#define SYNC_FENCE seq_cst
#endif
#ifndef LEAVE
#define LEAVE release
#endif
#ifndef WAIT
#define WAIT acquire
#endif
#ifndef PUBLISH
#define PUBLISH release
#endif
#ifndef DEREFERENCE
#define DEREFERENCE acquire
#endif

static int versions[2] = {1, 0};
static _Atomic(int*) current = &versions[0];
static atomic_int inside;

static void* Read(void* unused) {
  STORE(inside, 1, relaxed);
  FENCE(ENTER_FENCE);
  const int seen = *LOAD(current, DEREFERENCE);
  assert(seen == 1 || seen == 2);
  STORE(inside, 0, LEAVE);
  return unused;
}

static void* Update(void* unused) {
  versions[1] = 2;
  STORE(current, &versions[1], PUBLISH);
  FENCE(SYNC_FENCE);
  while (LOAD(inside, WAIT)) continue;
  versions[0] = -1;
  return unused;
}

int main(void) { RunThreads(2, (Body[]){Read, Update}); }
