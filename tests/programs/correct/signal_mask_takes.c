// A call that sets the mask takes what is pending and not blocked before it comes back, even if it changes nothing.
// heddle: check --reduction optimal
// expect: verdict=clean complete=true outcomes=0,1
#define _GNU_SOURCE
#include <heddle.h>
#include <signal.h>
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int sent, handled;

static void Handle(int number) { handled = number; }

static void *Send(void *main) {
  pthread_kill(*(pthread_t *)main, SIGUSR1);
  sent = 1;
  return 0;
}

int main(void) {
  signal(SIGUSR1, Handle);
  pthread_t self = pthread_self(), thread;
  pthread_create(&thread, 0, Send, &self);
  const int came = sent;
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_BLOCK, &none, 0);
  assert(!came || handled);
  heddle_outcome("%d", came);
  pthread_join(thread, 0);
}
