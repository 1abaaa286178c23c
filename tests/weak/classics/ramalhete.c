// The queue of Ramalhete and Correia, as xenium had it before a18862f: who pops compares two counters, how many were popped and
// how many were pushed. If the first is new and the second is stale, a queue that is not empty is said to be.
//
//                     sc   tso  c11
// - strong          : 9    9    10
// - POP=relaxed     : 9    9    assertion
// - SEE_POP=relaxed : 9    9    assertion
// - PUT=relaxed     : race race race
// - GET=relaxed     : race race race
#include "classics.h"

#ifndef POP
#define POP release
#endif
#ifndef SEE_POP
#define SEE_POP acquire
#endif
#ifndef PUT
#define PUT release
#endif
#ifndef GET
#define GET acquire
#endif

static int first = 1, second = 1, taken;
static atomic_int pushed, popped;
static _Atomic(int*) entries[2];

static void Push(int* item) {
  int* nothing = NULL;
  *item = 2;
  CAS(entries[ADD(pushed, 1, relaxed)], &nothing, item, PUT, relaxed);
}

static int* Pop(void) {
  const int gone = LOAD(popped, SEE_POP);
  if (gone >= LOAD(pushed, relaxed)) {
    assert(gone == 0);  // the one before that pushed two, and then popped one
    return NULL;
  }
  const int index = ADD(popped, 1, POP);
  return index < 2 ? EXCHANGE(entries[index], &taken, GET) : NULL;
}

static void* PushPushPop(void* unused) {
  Push(&first);
  Push(&second);
  Pop();
  return unused;
}

static void* PopOne(void* unused) {
  const int* const item = Pop();
  if (item != NULL) assert(*item == 2);
  return unused;
}

int main(void) { RunThreads(2, (Body[]){PushPushPop, PopOne}); }
