// The signal that is to end a read may come before it: nobody ends the read then. With SA_RESTART it is not ended at all.
// heddle: check
// expect: verdict=bug kind=deadlock location=@read
// heddle: check --reduction source
// expect: verdict=bug kind=deadlock location=@read
// heddle: check -- restart
// expect: verdict=bug kind=deadlock location=@read
// Graphs as plain enumeration finds them.
// traces: 10 enumerated --keep-going
// traces: 6 enumerated --keep-going -- restart
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "run_threads.h"

static int ends[2];

static void Handle(int number) { (void)number; }

static void *Read(void *arg) {
  char byte;
  assert(read(ends[0], &byte, 1) == -1 && errno == EINTR);  // @read
  return arg;
}

int main(int argc, char **argv) {
  (void)argv;
  struct sigaction action = {.sa_handler = Handle, .sa_flags = argc > 1 ? SA_RESTART : 0};
  sigaction(SIGUSR1, &action, 0);
  assert(pipe(ends) == 0);
  pthread_t thread;
  pthread_create(&thread, 0, Read, 0);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, 0);
}
