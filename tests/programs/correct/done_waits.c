// A thread that is done and then waits stands like any other when it may go on: who takes the lock first is open. Its step
// begins with heddle_done and ends where it has to wait, which is a read of the lock.
//   threads    three take the lock once each, one of them (D) done. 6 orders. In each, D began when the lock was free, or while
//              one of those before it held it: 1, 2 or 3 ways, as none, one or two come before it. 2 + 2 * 2 + 2 * 3 = 12.
//   join       main, done, joins the first of two and then takes the lock: 3 orders. A step of main has what comes after a join
//              if the thread has ended, so that shows: E1, E2 are the ends of the threads. Main waits for 2 to unlock or not,
//              and for E2 or not; 1, main, 2: 1. 2, 1, main: 2. 1, 2, main: 4. And main began before E1 or after it: 2 * 7.
//   condition  a condition is waited for, or found, by a done thread, W: its first section is after S (signals): with X in 3
//              places, 1 + as many ways as sections before W, for W to begin: 3 + 3 + 2. Or before S: with X before it, 2 ways;
//              with X between the two, after S, or after W's return (x = 0): 3. 13.
// heddle: check --order depth-first --reduction none -- threads
// expect: verdict=clean complete=true executions=12 outcomes=012,021,102,120,201,210
// heddle: check --order depth-first --reduction none -- join
// expect: verdict=clean complete=true happens_before=14 outcomes=012,021,102
// heddle: check -- join
// expect: verdict=clean complete=true happens_before=14 outcomes=012,021,102
// heddle: check --reduction source -- join
// expect: verdict=clean complete=true executions=14 happens_before=14 outcomes=012,021,102
// heddle: check -- condition
// expect: verdict=clean complete=true outcomes=x=0,x=1
// traces: 12 enumerated -- threads
// traces: 13 enumerated -- condition
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
