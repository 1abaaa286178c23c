// A connection pool that opens a new connection when none is idle and fewer than two exist. The look at both numbers is one
// section, the count of the new one another, because opening takes long.
// Interleaving: all four clients find that one more may be opened, and there are four.
// The limit of the server is three, so that one client too many is not enough: four must pass the look.
// bug: preemptions=3 threads=5
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check --order random --executions 2000
// expect: verdict=incomplete bugs=0
#include "run_threads.h"

enum { kOwnLimit = 2, kServerLimit = 3, kClients = 4 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t returned = PTHREAD_COND_INITIALIZER;
static int idle, existing;

static void *Client(void *arg) {
  pthread_mutex_lock(&mutex);
  while (idle == 0 && existing >= kOwnLimit) pthread_cond_wait(&returned, &mutex);
  if (idle > 0) {
    idle--;
  } else {
#ifdef FIXED
    existing++;
#endif
    pthread_mutex_unlock(&mutex);
    // ... connects here ...
    pthread_mutex_lock(&mutex);
#ifndef FIXED
    existing++;
#endif
    assert(existing <= kServerLimit);
  }
  pthread_mutex_unlock(&mutex);
  // ... talks to the server ...
  pthread_mutex_lock(&mutex);
  idle++;
  pthread_cond_signal(&returned);
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main() { RunSame(kClients, Client); }
