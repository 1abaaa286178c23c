// A reference count as in Rust's Arc: a clone is relaxed, as its owner has a reference already; who gives one back releases what
// it did, and the last one acquires that by a fence before it destroys the object. Of both threads each has one reference,
// the first clones it. UNIQUE=acquire is Arc's get_mut: a count of 1 that is read relaxed does not order what others did.
//
//                    sc             tso            c11
// - strong         : 4              4              4
// - CLONE=seq_cst  : 4              4              4
// - DROP=relaxed   : use-after-free use-after-free use-after-free
// - LAST=relaxed   : use-after-free use-after-free use-after-free
// - UNIQUE=acquire : 10             10             10
// - UNIQUE=relaxed : race           race           race
#include <stdlib.h>

#include "classics.h"

#ifndef CLONE
#define CLONE relaxed
#endif
#ifndef DROP
#define DROP release
#endif
#ifndef LAST
#define LAST acquire
#endif

typedef struct {
  atomic_int count;
  int value, uses[3];
} Shared;

static void Drop(Shared* shared, int use) {
  shared->uses[use] = shared->value;
  if (ADD(shared->count, -1, DROP) != 1) return;
  FENCE(LAST);
  free(shared);
}

static Shared* given;

static void* CloneAndDrop(void* unused) {
  Shared* const shared = given;
  ADD(shared->count, 1, CLONE);
  Drop(shared, 0);
  Drop(shared, 1);
  return unused;
}

static void* DropOne(void* unused) {
  Shared* const shared = given;
#ifdef UNIQUE
  if (LOAD(shared->count, UNIQUE) == 1) shared->value = shared->uses[0] = shared->uses[1] = 0;
#endif
  Drop(shared, 2);
  return unused;
}

int main(void) {
  given = calloc(1, sizeof *given);
  given->value = 1;
  STORE(given->count, 2, relaxed);
  RunThreads(2, (Body[]){CloneAndDrop, DropOne});
}
