// A thread that is done and then waits stands like any other when it may go on: who takes the lock first is open. Three
// threads take it once each, one of them done: 6 orders. main, done, joins the first of two and then takes it: 3 of them. A
// step of main has what comes after a join if the thread has ended, so that shows: E1, E2 are the ends of the threads.
//   executions   1, main, 2: 1. 2, 1, main: 5 places for E2. 1, 2, main: 7 of E1 before main and E2, where main comes after
//                the second unlocked, 4 where main waits for it.
//   graphs       main waits for 2 to unlock or not, and for E2 or not; 1, main, 2: 1. 2, 1, main: 2. 1, 2, main: 4.
// A condition is waited for, or found, by a done thread: W (waits) before S; X before or after S, or after W's return
// (x = 0); with S before W, the 3 orders of X: 7.
// heddle: check --order depth-first --reduction none -- threads
// expect: verdict=clean complete=true executions=6 outcomes=012,021,102,120,201,210
// heddle: check --order depth-first --reduction none -- join
// expect: verdict=clean complete=true executions=17 happens_before=7 outcomes=012,021,102
// traces: 6 enumerated -- threads
// A wait within the step of a done thread: the reduction runs each once here, but does not claim to everywhere.
// heddle: check -- join
// expect: verdict=incomplete executions=7 happens_before=7 redundant=0 outcomes=012,021,102
// heddle: check -- condition
// expect: verdict=incomplete executions=7 happens_before=7 redundant=0 outcomes=x=0,x=1
#include <heddle.h>
#include <string.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int order[3], count, ready, x, seen;

static void *Take(void *arg) {
  pthread_mutex_lock(&mutex);
  order[count++] = (int)(long)arg;
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void *TakeDone(void *arg) {
  heddle_done();
  return Take(arg);
}

static void *WaitDone(void *arg) {
  heddle_done();
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&changed, &mutex);
  seen = x;
  pthread_mutex_unlock(&mutex);
  return arg;
}

static void *Signal(void *arg) {
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return arg;
}

static void *Write(void *arg) {
  pthread_mutex_lock(&mutex);
  x = 1;
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "threads";
  if (strcmp(what, "condition") == 0) {
    RunThreads(3, (Body[]){WaitDone, Signal, Write});
    heddle_outcome("x=%d", seen);
    return 0;
  }
  if (strcmp(what, "threads") == 0) {
    RunThreads(3, (Body[]){TakeDone, Take, Take});
  } else {
    pthread_t threads[2];
    for (long i = 0; i < 2; i++) pthread_create(&threads[i], 0, Take, (void *)i);
    heddle_done();
    pthread_join(threads[0], 0);
    Take((void *)2);
    pthread_join(threads[1], 0);
  }
  heddle_outcome("%d%d%d", order[0], order[1], order[2]);
}
