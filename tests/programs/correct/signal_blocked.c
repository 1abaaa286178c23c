// A signal that a thread blocks waits until it unblocks it: the handler has run when pthread_sigmask comes back. It may unblock it
// before the signal is sent, too.
// heddle: check
// expect: verdict=clean complete=true
// traces: 10 enumerated
#define _GNU_SOURCE
#include <signal.h>
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int sent, handled;

static void Handle(int number) {
  (void)number;
  handled = 1;
}

static void *Unblock(void *arg) {
  const int before = sent;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_UNBLOCK, &set, 0);
  assert(handled || !before);
  return arg;
}

int main(void) {
  signal(SIGUSR1, Handle);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, 0);
  pthread_t thread;
  pthread_create(&thread, 0, Unblock, 0);
  pthread_kill(thread, SIGUSR1);
  sent = 1;
  pthread_join(thread, 0);
}
