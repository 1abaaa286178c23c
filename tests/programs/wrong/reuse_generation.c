// A handle is an address without a generation: who comes back with it finds another session there.
// compilers: gcc clang
// heddle: check
// expect: verdict=clean complete=true
// heddle: check --reuse now
// expect: verdict=bug kind=assertion
// The two sections of one thread and the two of the other: 6 orders.
// traces: 6 enumerated --keep-going
// traces: 6 enumerated --keep-going --reuse now
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#include "run_threads.h"

struct session {
  int id;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct session *current;
static int closed_another;

static void *CloseIdle(void *arg) {
  pthread_mutex_lock(&lock);
  struct session *idle = current;
  int id = idle->id;
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
  if (current == idle && current->id != id) closed_another = 1;
  pthread_mutex_unlock(&lock);
  return arg;
}

static void *Reconnect(void *arg) {
  for (int id = 2; id < 4; id++) {
    pthread_mutex_lock(&lock);
    free(current);
    current = malloc(sizeof *current);
    current->id = id;
    pthread_mutex_unlock(&lock);
  }
  return arg;
}

int main(void) {
  current = malloc(sizeof *current);
  current->id = 1;
  const Body bodies[] = {CloseIdle, Reconnect};
  RunThreads(2, bodies);
  assert(!closed_another);
}
