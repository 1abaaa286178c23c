// The lock in libstdc++ 12's atomic<shared_ptr>: the lowest bit of a word. Its load unlocks relaxed, as if it had changed nothing;
// but what it read is not ordered before what the next one writes.
//
//                          sc   tso  c11
// - strong               : 8    8    8
// - UNLOCK_LOAD=relaxed  : race race race
// - UNLOCK_STORE=relaxed : race race race
// - LOCK=relaxed         : race race race
#include "classics.h"

#ifndef LOCK
#define LOCK acquire
#endif
#ifndef UNLOCK_LOAD
#define UNLOCK_LOAD release
#endif
#ifndef UNLOCK_STORE
#define UNLOCK_STORE release
#endif

static atomic_int word;
static int pointer;

static void Lock(void) {
  int seen = LOAD(word, relaxed);
  while (seen % 2 == 1 || !CAS(word, &seen, seen + 1, LOCK, relaxed)) seen = LOAD(word, relaxed);
}

static void* Load(void* unused) {
  Lock();
  const int seen = pointer;
  ADD(word, -1, UNLOCK_LOAD);
  assert(seen == 0 || seen == 1);
  return unused;
}

static void* Store(void* unused) {
  Lock();
  pointer = 1;
  ADD(word, -1, UNLOCK_STORE);
  return unused;
}

int main(void) { RunThreads(2, (Body[]){Load, Store}); }
