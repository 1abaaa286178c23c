// Who sets the flag wakes nobody: a wait on a futex that nobody will wake is a lost wake-up.
// heddle: check
// expect: verdict=bug kind=deadlock preemptions=1 thread=T1 location=@wait message~"lost wake-up: T1 waits at futex_lost_wakeup.c:" message~"for futex ready and nobody is left to wake it"
// Graphs: T1 looks after the store, or waits before it (the deadlock); or looks before it, and finds it in the wait. 3.
// traces: 3 enumerated --keep-going
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "run_threads.h"

static atomic_int ready;

static void *Wait(void *arg) {
  while (atomic_load(&ready) == 0)
    syscall(SYS_futex, &ready, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);  // @wait
  return arg;
}

int main() {
  pthread_t waiter;
  pthread_create(&waiter, 0, Wait, 0);
  atomic_store(&ready, 1);
  pthread_join(waiter, 0);
}
