// A thread sends a signal to another one, which main may have joined before. Every search finds that it may come in time.
// heddle: check --reduction optimal
// expect: verdict=clean complete=true outcomes=0,1
// heddle: check --reduction source
// expect: verdict=clean complete=true outcomes=0,1
// heddle: check --reduction happens-before
// expect: verdict=clean complete=true outcomes=0,1
#define _GNU_SOURCE
#include <heddle.h>
#include <signal.h>
#include <stdatomic.h>

#include "run_threads.h"

static pthread_t taker;
static atomic_int handled;

static void Handle(int number) {
  (void)number;
  handled = 1;
}

static void *Take(void *arg) { return arg; }

static void *Send(void *arg) {
  pthread_kill(taker, SIGUSR1);
  return arg;
}

int main(void) {
  signal(SIGUSR1, Handle);
  pthread_t sender;
  pthread_create(&taker, 0, Take, 0);
  pthread_create(&sender, 0, Send, 0);
  pthread_join(taker, 0);
  pthread_join(sender, 0);
  heddle_outcome("%d", handled);
}
