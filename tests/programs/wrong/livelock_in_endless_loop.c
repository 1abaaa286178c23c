// Two threads in a loop that has no end, and yet they need not make progress: there is a schedule, fair to both, in which none of
// them does its work. Each takes its own lock, and tries the other one.
// compilers: gcc clang
// opt: -O0 -O1 -O2
//
// It tries in an inner loop, which it could leave:
// heddle: check -- inner
// expect: verdict=bug kind=livelock message~"in a fair schedule"
// heddle: check --visited states -- inner
// expect: verdict=bug kind=livelock message~"in a fair schedule"
// Each round of the endless loop is one try, and all of them fail:
// heddle: check -- outer
// expect: verdict=bug kind=livelock message~"in a fair schedule"
// heddle: check --visited states -- outer
// expect: verdict=bug kind=livelock message~"in a fair schedule"
// One waits for ever for a flag that nobody sets, and takes a lock in each round; the other one makes progress.
// heddle: check --visited states -- starved
// expect: verdict=bug kind=livelock message~"in a fair schedule"
#include <stdatomic.h>
#include <string.h>

#include "run_threads.h"

static pthread_mutex_t mutex[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static atomic_int works;

static int Try(long me) {
  pthread_mutex_lock(&mutex[me]);
  if (pthread_mutex_trylock(&mutex[1 - me]) == 0) return 1;
  pthread_mutex_unlock(&mutex[me]);
  return 0;
}

static void Work(void) {
  works = 1;
  works = 0;
  pthread_mutex_unlock(&mutex[0]);
  pthread_mutex_unlock(&mutex[1]);
}

static void *Inner(void *arg) {
  for (;;) {
    while (!Try((long)arg)) {
    }
    Work();
  }
}

static void *Outer(void *arg) {
  for (;;) {
    if (Try((long)arg)) Work();
  }
}

// T1 comes round without an end; T2 has a toggle of its own to change, so that it does not only look.
static void *Starved(void *arg) {
  for (;;) {
    if (arg == 0) {
      pthread_mutex_lock(&mutex[0]);
      pthread_mutex_unlock(&mutex[0]);
    } else {
      do {
        pthread_mutex_lock(&mutex[1]);
        pthread_mutex_unlock(&mutex[1]);
      } while (works == 0);
      Work();
    }
  }
}

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "inner";
  RunSame(2, strcmp(how, "inner") == 0 ? Inner : strcmp(how, "outer") == 0 ? Outer : Starved);
}
