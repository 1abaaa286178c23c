// A signal to the process may be taken by any thread that does not block it. It is explored in the thread that sends it only,
// so the search is not complete, unless no other would take it, or there is no handler.
// heddle: check
// expect: incomplete=shared-signal
// heddle: check --order depth-first --reduction none
// expect: incomplete=shared-signal
// heddle: check -- blocked
// expect: verdict=clean complete=true
#include <signal.h>
#include <unistd.h>

#include "run_threads.h"

static volatile sig_atomic_t handled;

static void Handle(int number) { handled = number; }

static void *Send(void *arg) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_UNBLOCK, &set, 0);
  assert(kill(getpid(), SIGCHLD) == 0);
  assert(kill(getpid(), SIGUSR1) == 0);
  return arg;
}

int main(int argc, char **argv) {
  (void)argv;
  signal(SIGUSR1, Handle);
  if (argc > 1) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, 0);
  }
  pthread_t thread;
  pthread_create(&thread, 0, Send, 0);
  pthread_join(thread, 0);
  assert(handled == SIGUSR1);
}
