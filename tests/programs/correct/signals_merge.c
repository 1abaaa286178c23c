// A signal that is sent while the same one is pending is one with it. main sends two signals; SIGUSR1 to the process, which only the other
// thread takes, and SIGUSR2 to that thread. It sends itself both, and takes at least what it has sent before the calls come back.
//
// SIGUSR1: if main's comes first and is not taken yet, the two are one.
// heddle: check --reduction optimal
// expect: verdict=clean complete=true outcomes=1:1,1:2,2:1,2:2
// heddle: check --reduction happens-before
// expect: verdict=clean complete=true outcomes=1:1,1:2,2:1,2:2
#define _GNU_SOURCE
#include <heddle.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#include "run_threads.h"

static atomic_int handled[2];

static void Handle(int number) { ++handled[number == SIGUSR2]; }

static void *Take(void *arg) {
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, 0);
  kill(getpid(), SIGUSR1);
  assert(handled[0]);
  pthread_kill(pthread_self(), SIGUSR2);
  assert(handled[1]);
  return arg;
}

int main(void) {
  signal(SIGUSR1, Handle);
  signal(SIGUSR2, Handle);
  sigset_t both;
  sigemptyset(&both);
  sigaddset(&both, SIGUSR1);
  sigaddset(&both, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &both, 0);
  pthread_t thread;
  pthread_create(&thread, 0, Take, 0);
  kill(getpid(), SIGUSR1);
  pthread_kill(thread, SIGUSR2);
  pthread_join(thread, 0);
  heddle_outcome("%d:%d", handled[0], handled[1]);
}
