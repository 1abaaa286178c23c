// "token ring": station i passes on what station i - 1 has, once, and does not wait until that has it. The result is right only if the stations
// come in order; the check runs beside them and lets pass what is not complete.
// Five stations; the check fails only if two neighbours both came before the one that they take the token from.
// bug: preemptions=0 threads=6
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check
// expect: verdict=clean complete=true
#include "run_threads.h"

enum { kStations = 5 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t passed = PTHREAD_COND_INITIALIZER;
static int token[kStations], present[kStations];

static void *Station(void *arg) {
  int self = (int)(long)arg;
  if (self == 0) {
    pthread_mutex_lock(&mutex);
    token[0] = 1;
  } else {
    pthread_mutex_lock(&mutex);
#ifdef FIXED
    while (!present[self - 1]) pthread_cond_wait(&passed, &mutex);
#endif
    token[self] = token[self - 1] + 1;
  }
  present[self] = 1;
  pthread_cond_broadcast(&passed);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main() {
  RunSame(kStations, Station);
  // A single late station is made good by a second round in the real program; two that are next to each other are not.
  int wrong = 0;
  for (int i = 1; i + 1 < kStations; i++) wrong |= token[i] == 1 && token[i + 1] == 1;
  assert(!wrong);
}
