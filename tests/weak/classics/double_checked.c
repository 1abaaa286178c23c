// Double-checked locking (Meyers and Alexandrescu 2004): who finds the pointer without the lock has to acquire what it points to.
// Under the lock it may be read relaxed.
//
//                        sc   tso  c11
// - strong             : 4    4    4
// - PUBLISH=relaxed    : race race race
// - LOOK=relaxed       : race race race
// - LOOK_AGAIN=seq_cst : 4    4    4
#include "classics.h"

#ifndef PUBLISH
#define PUBLISH release
#endif
#ifndef LOOK
#define LOOK acquire
#endif
#ifndef LOOK_AGAIN
#define LOOK_AGAIN relaxed
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int object, made;
static _Atomic(int*) instance;

static void* Get(void* unused) {
  int* found = LOAD(instance, LOOK);
  if (found == NULL) {
    pthread_mutex_lock(&lock);
    found = LOAD(instance, LOOK_AGAIN);
    if (found == NULL) {
      made++;
      object = 1;
      found = &object;
      STORE(instance, found, PUBLISH);
    }
    pthread_mutex_unlock(&lock);
  }
  assert(*found == 1);
  return unused;
}

int main(void) {
  RunThreads(2, (Body[]){Get, Get});
  assert(made == 1);
}
