// pthread_kill with 0 asks whether the thread can get signals: not after it was joined.
// heddle: check --reduction optimal
// expect: verdict=clean complete=true outcomes=0,3
// heddle: check --reduction happens-before
// expect: verdict=clean complete=true outcomes=0,3
#define _GNU_SOURCE
#include <heddle.h>
#include <signal.h>

#include "run_threads.h"

static pthread_t asked;

static void *Nothing(void *arg) { return arg; }

static void *Ask(void *arg) {
  heddle_outcome("%d", pthread_kill(asked, 0));
  return arg;
}

int main(void) {
  pthread_t asker;
  pthread_create(&asked, 0, Nothing, 0);
  pthread_create(&asker, 0, Ask, 0);
  pthread_join(asked, 0);
  pthread_join(asker, 0);
}
