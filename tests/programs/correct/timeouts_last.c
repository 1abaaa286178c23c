// --timeouts last: a time limit passes only when no thread can go on, the earliest first, and of
// equal ones either. Every reduction gives the outcomes of the plain search.
//
// ordered: limits of one and two seconds pass in that order. equal: in both orders. past: a limit
// that is over when the wait begins is no wait; the post comes before it or after. held: T1 holds the
// mutex until its own limit of two seconds has passed; T2 gives up waiting for the mutex after one
// second (a), or gets it (A); T3 waits without a limit. T1 first: T2 gives up, then T1, T3. T2 first:
// T1 and T3 in either order. T3 first: T1, and T2 gives up before it ends; or T2, T1. Five traces.
//
// heddle: check --timeouts last -- ordered
// expect: verdict=clean complete=true outcomes=12
// heddle: check --timeouts last --order depth-first -- ordered
// expect: verdict=clean complete=true outcomes=12
// heddle: check --timeouts last -- equal
// expect: verdict=clean complete=true outcomes=12,21
// heddle: check --timeouts last --order depth-first -- equal
// expect: verdict=clean complete=true outcomes=12,21
// heddle: check --timeouts last --reduction source -- equal
// expect: verdict=clean complete=true outcomes=12,21
// heddle: check --timeouts last --reduction dpor -- equal
// expect: verdict=clean complete=true outcomes=12,21
// heddle: check --timeouts last --reduction sleep-sets -- equal
// expect: verdict=clean complete=true outcomes=12,21
// heddle: check --timeouts last -- past
// expect: verdict=clean complete=true outcomes=1,2
// heddle: check --timeouts last --order depth-first -- past
// expect: verdict=clean complete=true outcomes=1,2
// heddle: check --timeouts last --order depth-first -- held
// expect: verdict=clean complete=true outcomes=3A1,3a1,A13,A31,a13
// heddle: check --timeouts last -- held
// expect: verdict=clean complete=true outcomes=3A1,3a1,A13,A31,a13
// heddle: check --timeouts last --reduction source -- held
// expect: verdict=clean complete=true outcomes=3A1,3a1,A13,A31,a13
// heddle: check --timeouts last --reduction dpor -- held
// expect: verdict=clean complete=true outcomes=3A1,3a1,A13,A31,a13
// heddle: check --timeouts last --reduction sleep-sets -- held
// expect: verdict=clean complete=true outcomes=3A1,3a1,A13,A31,a13
// traces: 1 enumerated --timeouts last -- ordered
// traces: 2 enumerated --timeouts last -- equal
// traces: 2 enumerated --timeouts last -- past
// traces: 5 enumerated --timeouts last -- held
#include <errno.h>
#include <heddle.h>
#include <semaphore.h>
#include <string.h>
#include <time.h>

#include "run_threads.h"

static sem_t never, posted;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t log_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct timespec begin;
static char text[16];

static struct timespec In(int seconds) {
  struct timespec time = begin;
  time.tv_sec += seconds;
  return time;
}

static void Log(char what) {
  pthread_mutex_lock(&log_mutex);
  text[strlen(text)] = what;
  pthread_mutex_unlock(&log_mutex);
}

static void TimeOut(int seconds, char what) {
  const struct timespec limit = In(seconds);
  assert(sem_timedwait(&never, &limit) == -1 && errno == ETIMEDOUT);
  Log(what);
}

static void *Second(void *arg) {
  TimeOut(2, '2');
  return arg;
}
static void *First(void *arg) {
  TimeOut(1, '1');
  return arg;
}
static void *AlsoFirst(void *arg) {
  TimeOut(1, '2');
  return arg;
}

static void *Post(void *arg) {
  sem_post(&posted);
  return arg;
}
static void *Look(void *arg) {
  const struct timespec past = In(-1);
  Log(sem_timedwait(&posted, &past) == 0 ? '1' : '2');
  return arg;
}

static void *HoldAndTimeOut(void *arg) {
  pthread_mutex_lock(&mutex);
  TimeOut(2, '1');
  pthread_mutex_unlock(&mutex);
  return arg;
}
static void *LockForASecond(void *arg) {
  const struct timespec limit = In(1);
  const int got = pthread_mutex_timedlock(&mutex, &limit);
  Log(got == 0 ? 'A' : 'a');
  if (got == 0) pthread_mutex_unlock(&mutex);
  return arg;
}
static void *Lock(void *arg) {
  pthread_mutex_lock(&mutex);
  Log('3');
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(int argc, char **argv) {
  assert(argc == 2);
  sem_init(&never, 0, 0);
  sem_init(&posted, 0, 0);
  clock_gettime(CLOCK_REALTIME, &begin);
  if (strcmp(argv[1], "ordered") == 0) RunThreads(2, (Body[]){Second, First});
  if (strcmp(argv[1], "equal") == 0) RunThreads(2, (Body[]){First, AlsoFirst});
  if (strcmp(argv[1], "past") == 0) RunThreads(2, (Body[]){Look, Post});
  if (strcmp(argv[1], "held") == 0)
    RunThreads(3, (Body[]){HoldAndTimeOut, LockForASecond, Lock});
  heddle_outcome("%s", text);
}
