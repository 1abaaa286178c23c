// What keeps something in static memory may be called under a lock; what only reads it, by several threads at once; and what
// answers in memory of the caller's is no matter.
// heddle: check
// expect: verdict=clean complete=true outcomes=70-75,75-70
// Traces: one critical section in each of two threads, 2.
// traces: 2 enumerated
#define _GNU_SOURCE
#include <heddle.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char outcome[16];
static int length;

static void *Ask(void *arg) {
  time_t when = (long)arg * 5 * 366 * 86400;
  struct tm date;
  assert(getenv("HEDDLE_VARIABLE"));
  gmtime_r(&when, &date);
  localtime_r(&when, &date);
  mktime(&date);
  pthread_mutex_lock(&mutex);
  const struct tm *answer = gmtime(&when);
  length += sprintf(outcome + length, length ? "-%d" : "%d", answer->tm_year);
  drand48();
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main() {
  setenv("HEDDLE_VARIABLE", "1", 1);
  RunSame(2, Ask);
  heddle_outcome("%s", outcome);
}
