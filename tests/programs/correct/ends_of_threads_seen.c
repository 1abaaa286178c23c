// What can tell the end of a thread from its last operation finds both, in the default search and where everything is a
// step: a thread is tried to be joined when it has done all it does, joined with a time limit, or it owned a robust mutex.
// heddle: check -- try
// expect: verdict=clean complete=true outcomes=busy,joined
// heddle: check --points every -- try
// expect: verdict=clean complete=true outcomes=busy,joined
// heddle: check -- timed
// expect: verdict=clean complete=true "outcomes=timed out,joined"
// heddle: check --points every -- timed
// expect: verdict=clean complete=true "outcomes=timed out,joined"
// heddle: check -- robust
// expect: verdict=clean complete=true "outcomes=busy,owner died,free"
// heddle: check --points every -- robust
// expect: verdict=clean complete=true "outcomes=busy,owner died,free"
// opt: -O1
// Graphs: main tries, or gives up, before or after the end of the thread, 2. With the robust mutex: before the lock,
// between lock and end, or after the end, 3.
// traces: 2 enumerated -- try
// traces: 2 enumerated -- timed
// traces: 3 enumerated -- robust
#define _GNU_SOURCE
#include <errno.h>
#include <heddle.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "run_threads.h"

static pthread_mutex_t mutex;
static atomic_int done;

static void *Work(void *arg) {
  if (arg) pthread_mutex_lock(&mutex);
  done = 1;
  return 0;
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "try";
  const int robust = strcmp(what, "robust") == 0;
  pthread_t thread;
  if (robust) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
  }
  pthread_create(&thread, 0, Work, robust ? &mutex : 0);
  if (robust) {
    const int answer = pthread_mutex_trylock(&mutex);
    if (answer != EBUSY) pthread_mutex_unlock(&mutex);
    heddle_outcome(answer == EBUSY ? "busy" : answer == EOWNERDEAD ? "owner died" : "free");
    pthread_join(thread, 0);
    return 0;
  }
  int answer;
  if (strcmp(what, "try") == 0) {
    heddle_hook();
    answer = pthread_tryjoin_np(thread, 0);
  } else {
    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_sec += 1;
    answer = pthread_timedjoin_np(thread, 0, &soon);
  }
  heddle_outcome(answer == 0 ? "joined" : answer == EBUSY ? "busy" : "timed out");
  if (answer != 0) pthread_join(thread, 0);
}
