// A handler that interrupts a thread and makes plain accesses may come between two plain accesses of its thread. It is explored before
// operations only, unless plain accesses are operations.
// heddle: check
// expect: incomplete=handler-access
// heddle: check --points all
// expect: verdict=clean complete=true
// heddle: check --points all -- assert
// expect: verdict=bug kind=assertion location=@between
#include <signal.h>
#include <stdatomic.h>

#include "run_threads.h"

static volatile sig_atomic_t handled;
static int asserts;

static void Handle(int number) { handled = number; }

static void *Work(void *arg) {
  const int before = handled;
  const int after = handled;
  if (asserts) assert(before == after);  // @between
  return arg;
}

int main(int argc, char **argv) {
  (void)argv;
  asserts = argc > 1;
  signal(SIGUSR1, Handle);
  pthread_t thread;
  pthread_create(&thread, 0, Work, 0);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, 0);
}
