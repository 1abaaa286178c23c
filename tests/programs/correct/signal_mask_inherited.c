// A thread begins with the mask of the thread that creates it, as it is then: a signal that it sends to itself stays pending.
// heddle: check
// expect: verdict=clean complete=true
#define _GNU_SOURCE
#include <signal.h>
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int handled;

static void Handle(int number) { handled = number; }

static void *Send(void *arg) {
  pthread_kill(pthread_self(), SIGUSR1);
  assert(!handled);
  return arg;
}

int main(void) {
  signal(SIGUSR1, Handle);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, 0);
  pthread_t thread;
  pthread_create(&thread, 0, Send, 0);
  pthread_sigmask(SIG_UNBLOCK, &set, 0);
  pthread_join(thread, 0);
}
