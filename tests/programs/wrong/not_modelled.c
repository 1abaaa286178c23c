// What is not modelled stops the search and names itself: it is never passed over. (In wrong/ for want of a third
// place: the verdict is that heddle does not know.)
// heddle: check -- cancel
// expect: verdict=uncontrolled incomplete=uncontrolled stdout~pthread_cancel
// heddle: check -- timer
// expect: verdict=uncontrolled stdout~timer_create
// heddle: check -- itimer
// expect: verdict=uncontrolled stdout~setitimer
// heddle: check -- timerfd
// expect: verdict=uncontrolled stdout~timerfd_create
// heddle: check -- signalfd
// expect: verdict=uncontrolled stdout~signalfd
// heddle: check -- named
// expect: verdict=uncontrolled stdout~sem_open
// heddle: check -- aio
// expect: verdict=uncontrolled stdout~aio_read
// heddle: check -- wakeop
// expect: verdict=uncontrolled stdout~FUTEX_WAKE_OP
// heddle: check -- priority
// expect: verdict=uncontrolled stdout~FUTEX_LOCK_PI
// heddle: check -- clone
// expect: verdict=uncontrolled stdout~clone
// heddle: check -- exec
// expect: verdict=uncontrolled stdout~exec
// heddle: check -- daemon
// expect: verdict=uncontrolled stdout~daemon
// heddle: check -- alarm
// expect: incomplete=alarm
// Where the search is not stopped, the other thread can only go on after the store: 1 graph.
#define _GNU_SOURCE
#include <aio.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "run_threads.h"

static atomic_int go;

static void *Spin(void *arg) {
  while (!go) sched_yield();
  return arg;
}

static void Use(const char *what, pthread_t other) {
  int word = 0, second = 0;
  sigset_t none;
  sigemptyset(&none);
  if (strcmp(what, "cancel") == 0) pthread_cancel(other);
  if (strcmp(what, "timer") == 0) timer_create(CLOCK_REALTIME, 0, &(timer_t){0});
  if (strcmp(what, "itimer") == 0) setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {1, 0}}, 0);
  if (strcmp(what, "timerfd") == 0) timerfd_create(CLOCK_MONOTONIC, 0);
  if (strcmp(what, "signalfd") == 0) signalfd(-1, &none, 0);
  if (strcmp(what, "named") == 0) sem_open("/heddle-test", O_CREAT, 0600, 1);
  if (strcmp(what, "aio") == 0) aio_read(&(struct aiocb){.aio_buf = &word, .aio_nbytes = 1});
  if (strcmp(what, "wakeop") == 0) syscall(SYS_futex, &word, FUTEX_WAKE_OP, 1, 1, &second, 0);
  if (strcmp(what, "priority") == 0) syscall(SYS_futex, &word, FUTEX_LOCK_PI, 0, 0, 0, 0);
  if (strcmp(what, "clone") == 0) syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  if (strcmp(what, "exec") == 0) execl("/bin/true", "true", (char *)0);
  if (strcmp(what, "daemon") == 0 && daemon(0, 0) != 0) abort();
  if (strcmp(what, "alarm") == 0) alarm(1);
}

int main(int argc, char **argv) {
  assert(argc == 2);
  pthread_t thread;
  pthread_create(&thread, 0, Spin, 0);
  Use(argv[1], thread);
  go = 1;
  pthread_join(thread, 0);
}
