// A mutex that is initialised again orders nothing that was done under it before. Who did so is not ordered with the rest.
// heddle: check --keep-going
// expect: verdict=bug kind=data-race complete=true
// Graphs: traces.py derives 120, and 60 traces, because a misuse ends the program early. That the two come to lock the mutex are operations, because it is made anew while it may be locked.
// graphs: 120 --keep-going
// traces: 60 --keep-going
#include <pthread.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *Count(void *arg) {
  pthread_mutex_lock(&mutex);
  data++;  // race with the same of the other thread
  pthread_mutex_unlock(&mutex);
  return arg;
}

static void *Begin(void *arg) {
  pthread_mutex_init(&mutex, NULL);
  return arg;
}

int main(void) { RunThreads(3, (Body[]){Count, Begin, Count}); }
