// tryjoin answers EBUSY while the thread runs; timedjoin gives up or joins; a joined thread's
// work is visible.
// heddle: check
// expect: verdict=clean complete=true outcomes=busy,joined
// The two increments in either order; tryjoin after the thread's end, or before it and the timed join before or after:
// traces: 6 enumerated
#define _GNU_SOURCE
#include <errno.h>
#include <heddle.h>
#include <stdatomic.h>
#include <time.h>

#include "run_threads.h"

static atomic_int point;
static int data;

static void *Work(void *arg) {
  point++;
  data = 5;
  return arg;
}

int main() {
  pthread_t thread;
  void *result = 0;
  pthread_create(&thread, 0, Work, (void *)3);
  point++;
  int answer = pthread_tryjoin_np(thread, &result);
  heddle_outcome(answer == EBUSY ? "busy" : "joined");
  struct timespec soon;
  clock_gettime(CLOCK_REALTIME, &soon);
  soon.tv_sec += 5;
  if (answer == EBUSY) answer = pthread_timedjoin_np(thread, &result, &soon);
  if (answer == ETIMEDOUT) answer = pthread_join(thread, &result);
  assert(answer == 0 && result == (void *)3 && data == 5);
}
