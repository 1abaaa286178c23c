// pthread_exit runs the cleanup handlers, innermost first, and hands its value to join.
// heddle: check
// expect: verdict=clean complete=true
// main only joins the thread: 1 execution.
// traces: 1 enumerated
#include "run_threads.h"

static int order[2], handlers;

static void Clean(void *arg) { order[handlers++] = (int)(long)arg; }

static void Leave() { pthread_exit((void *)99); }

static void *Run(void *arg) {
  (void)arg;
  pthread_cleanup_push(Clean, (void *)1);
  pthread_cleanup_push(Clean, (void *)2);
  Leave();
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return 0;
}

int main() {
  pthread_t thread;
  void *result;
  pthread_create(&thread, 0, Run, 0);
  assert(pthread_join(thread, &result) == 0 && result == (void *)99);
  assert(handlers == 2 && order[0] == 2 && order[1] == 1);
}
