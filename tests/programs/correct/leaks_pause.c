// A thread waits for a signal when the program ends: what it holds is no leak.
// heddle: check --leaks -- pause
// expect: verdict=clean complete=true executions=1 warning~"waits for signal"
// heddle: check --leaks -- sigsuspend
// expect: verdict=clean complete=true executions=1 warning~"waits for signal"
// heddle: check --leaks -- local
// expect: verdict=clean complete=true executions=1 warning~"waits for signal"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run_threads.h"

static const char *what;
static __thread void *volatile own;

static void *Sits(void *arg) {
  void *volatile held = malloc(20);
  if (strcmp(what, "local") == 0) own = malloc(10);
  sigset_t none;
  sigemptyset(&none);
  if (strcmp(what, "sigsuspend") == 0)
    sigsuspend(&none);
  else
    pause();
  free(held);
  return arg;
}

int main(int argc, char **argv) {
  what = argc > 1 ? argv[1] : "pause";
  pthread_t thread;
  return pthread_create(&thread, 0, Sits, 0);
}
