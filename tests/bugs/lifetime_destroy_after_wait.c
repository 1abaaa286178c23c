// A request on the stack of the one who waits for it: the worker sets `done`, signals and unlocks; the one who waits may poll `done` before
// it locks, find it set, and destroy the mutex while the worker has not unlocked yet.
// Interleaving: the worker has set `done`; the client looks, leaves, and destroys; the worker signals a destroyed condition variable.
// bug: preemptions=2 threads=3
// heddle: check
// expect: verdict=bug kind=misuse
// fixed: check
// expect: verdict=clean complete=true
#include <stdatomic.h>

#include "run_threads.h"

enum { kRequests = 3 };

typedef struct {
  pthread_mutex_t mutex;
  pthread_cond_t finished;
  atomic_int done;
  int result;
} Request;

static pthread_mutex_t box_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t box_changed = PTHREAD_COND_INITIALIZER;
static Request *box;

static void *Client(void *arg) {
  for (int i = 0; i < kRequests; i++) {
    Request request = {.done = 0};
    pthread_mutex_init(&request.mutex, 0);
    pthread_cond_init(&request.finished, 0);
    pthread_mutex_lock(&box_mutex);
    box = &request;
    pthread_cond_signal(&box_changed);
    pthread_mutex_unlock(&box_mutex);
#ifndef FIXED
    if (!request.done)
#endif
    {
      pthread_mutex_lock(&request.mutex);
      while (!request.done) pthread_cond_wait(&request.finished, &request.mutex);
      pthread_mutex_unlock(&request.mutex);
    }
    assert(request.result == 1);
    pthread_cond_destroy(&request.finished);
    pthread_mutex_destroy(&request.mutex);
  }
  return arg;
}

static void *Worker(void *arg) {
  for (int i = 0; i < kRequests; i++) {
    pthread_mutex_lock(&box_mutex);
    while (!box) pthread_cond_wait(&box_changed, &box_mutex);
    Request *request = box;
    box = 0;
    pthread_mutex_unlock(&box_mutex);
    pthread_mutex_lock(&request->mutex);
    request->result = 1;
    request->done = 1;
    pthread_cond_signal(&request->finished);
    pthread_mutex_unlock(&request->mutex);
  }
  return arg;
}

int main() { RunThreads(2, (Body[]){Client, Worker}); }
