// Signals that the program sends to itself: handlers, masks, pending signals and waiting for
// them are the same in every execution.
// heddle: check
// expect: verdict=clean complete=true executions=1
// Graphs: the thread waits for the signal that main sends it, 1.
// graphs: 1
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "run_threads.h"

static volatile sig_atomic_t handled, last;

static void Handle(int number) {
  handled++;
  last = number;
}

static void *Wait(void *arg) {
  (void)arg;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  int number = 0;
  assert(sigwait(&set, &number) == 0 && number == SIGUSR2);
  return 0;
}

int main() {
  assert(handled == 0);
  struct sigaction old;
  assert(sigaction(SIGUSR1, 0, &old) == 0 && old.sa_handler == SIG_DFL);
  assert(signal(SIGUSR1, Handle) == SIG_DFL);
  raise(SIGUSR1);
  assert(handled == 1 && last == SIGUSR1);
  assert(kill(getpid(), SIGUSR1) == 0 && handled == 2);
  assert(pthread_kill(pthread_self(), SIGUSR1) == 0 && handled == 3);

  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGUSR2);
  assert(pthread_sigmask(SIG_BLOCK, &set, 0) == 0);
  raise(SIGUSR1);
  assert(handled == 3);
  sigset_t pending;
  sigpending(&pending);
  assert(sigismember(&pending, SIGUSR1));

  pthread_t thread;
  pthread_create(&thread, 0, Wait, 0);
  assert(kill(getpid(), SIGUSR2) == 0);
  pthread_join(thread, 0);

  struct timespec second = {1, 0};
  sigdelset(&set, SIGUSR1);
  assert(sigtimedwait(&set, 0, &second) == -1 && errno == EAGAIN);
  sigemptyset(&set);
  assert(pthread_sigmask(SIG_SETMASK, &set, 0) == 0);
  assert(handled == 4);
}
