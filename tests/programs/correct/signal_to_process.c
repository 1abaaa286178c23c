// A signal to the process may be taken by any thread that does not block it: by the one that sends it, or by main. If main blocks it,
// the sender takes it, before kill comes back.
// heddle: check
// expect: verdict=clean complete=true outcomes=main,sender
// heddle: check --reduction source
// expect: verdict=clean complete=true outcomes=main,sender
// Graphs as plain enumeration finds them.
// traces: 47 enumerated
// heddle: check -- blocked
// expect: verdict=clean complete=true outcomes=sender
#include <heddle.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#include "run_threads.h"

static _Thread_local atomic_int handled_here;
static atomic_int handled;

static void Handle(int number) {
  handled_here = number;
  handled = number;
}

static void *Send(void *arg) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_UNBLOCK, &set, 0);
  assert(kill(getpid(), SIGCHLD) == 0);
  assert(kill(getpid(), SIGUSR1) == 0);
  assert(arg == 0 || handled_here == SIGUSR1);
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
  pthread_create(&thread, 0, Send, argc > 1 ? &thread : 0);
  pthread_join(thread, 0);
  while (!handled) {
  }
  heddle_outcome(handled_here ? "main" : "sender");
}
