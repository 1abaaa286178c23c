// A signal to the process may be taken by any thread that does not block it, so its handler may run in main: on Linux it does.
// heddle: check
// expect: verdict=bug kind=assertion location=@taken
// heddle: check --order depth-first --reduction none
// expect: verdict=bug kind=assertion location=@taken
// heddle: check --reduction source
// expect: verdict=bug kind=assertion location=@taken
// Graphs as plain enumeration finds them.
// traces: 42 enumerated --keep-going
// heddle: check --reduction happens-before
// expect: verdict=bug kind=assertion location=@taken
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#include "run_threads.h"

static _Thread_local atomic_int is_main;
static atomic_int in_main, ran;

static void Handle(int number) {
  (void)number;
  in_main = is_main;
  ran = 1;
}

static void *Send(void *arg) {
  kill(getpid(), SIGUSR1);
  return arg;
}

int main(void) {
  is_main = 1;
  signal(SIGUSR1, Handle);
  pthread_t thread;
  pthread_create(&thread, 0, Send, 0);
  pthread_join(thread, 0);
  while (!ran) {
  }
  assert(!in_main);  // @taken
}
