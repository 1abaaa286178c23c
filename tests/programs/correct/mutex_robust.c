// The owner of a robust mutex ends without unlocking: the next one gets EOWNERDEAD, makes it
// consistent and goes on.
// heddle: check
// expect: verdict=clean complete=true outcomes=first,second
// Graphs: who locks first, 2.
// traces: 2 enumerated
#define _GNU_SOURCE
#include <errno.h>
#include <heddle.h>

#include "run_threads.h"

static pthread_mutex_t mutex;
static int repaired;

static void *Die(void *arg) {
  (void)arg;
  int locked = pthread_mutex_lock(&mutex);
  assert(locked == 0);
  return 0;
}

static void *Inherit(void *arg) {
  (void)arg;
  int locked = pthread_mutex_lock(&mutex);
  if (locked == EOWNERDEAD) {
    assert(pthread_mutex_consistent(&mutex) == 0);
    repaired = 1;
  } else {
    assert(locked == 0);
  }
  assert(pthread_mutex_unlock(&mutex) == 0);
  return 0;
}

int main() {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  assert(pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST) == 0);
  pthread_mutex_init(&mutex, &attributes);
  RunThreads(2, (Body[]){Die, Inherit});
  heddle_outcome(repaired ? "first" : "second");
}
