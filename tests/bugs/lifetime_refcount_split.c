// Reference counting with the decrement and the test as two operations.
// Interleaving: two owners decrement, then both read 0 and give the object back: twice. Three objects with three owners each, who drop them in
// different orders.
// bug: preemptions=1 threads=4
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check
// expect: verdict=clean complete=true
#include <stdatomic.h>

#include "run_threads.h"

enum { kObjects = 3, kOwners = 3 };

typedef struct {
  atomic_int owners, given_back;
} Object;

static Object objects[kObjects];

static void *Drop(void *arg) {
  for (int i = 0; i < kObjects; i++) {
    Object *object = &objects[(i + (long)arg) % kObjects];
#ifdef FIXED
    if (atomic_fetch_sub(&object->owners, 1) == 1) assert(object->given_back++ == 0);
#else
    atomic_fetch_sub(&object->owners, 1);
    if (object->owners == 0) assert(object->given_back++ == 0);
#endif
  }
  return 0;
}

int main() {
  for (int i = 0; i < kObjects; i++) objects[i].owners = kOwners;
  RunSame(kOwners, Drop);
}
