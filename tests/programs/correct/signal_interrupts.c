// A thread is interrupted by a signal wherever it stands. What waits ends with EINTR, if the handler does not have it restarted; what
// is never restarted, always; locks and condition variables never.
// heddle: check -- semaphore
// expect: verdict=clean complete=true outcomes=EINTR,before
// heddle: check -- restarted
// expect: verdict=clean complete=true outcomes=before
// heddle: check -- poll
// expect: verdict=clean complete=true outcomes=EINTR,before
// heddle: check -- poll restarted
// expect: verdict=clean complete=true outcomes=EINTR,before
// heddle: check -- sleep restarted
// expect: verdict=clean complete=true outcomes=EINTR,before
// heddle: check -- futex
// expect: complete=false incomplete=handler-in-wait outcomes=EINTR,before
// heddle: check -- mutex
// expect: verdict=clean complete=true outcomes=before
// heddle: check -- wait
// expect: verdict=clean complete=true outcomes=EINTR,before
// Plain enumeration of the first finds 565 graphs in 406,692 executions.
// heddle: check --order depth-first --reduction sleep-sets -- semaphore
// expect: verdict=clean complete=true executions=565 outcomes=EINTR,before
// heddle: check --order depth-first --reduction source -- semaphore
// expect: verdict=clean complete=true executions=565 outcomes=EINTR,before
// heddle: check --order depth-first --reduction optimal -- semaphore
// expect: verdict=clean complete=true executions=565 redundant=0 outcomes=EINTR,before
// heddle: check --order depth-first --reduction happens-before -- semaphore
// expect: verdict=clean complete=true executions=565 outcomes=EINTR,before
#define _GNU_SOURCE
#include <errno.h>
#include <heddle.h>
#include <linux/futex.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "run_threads.h"

static const char *what;
static sem_t semaphore;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned word;
static int ends[2];
static atomic_int handled;

static void Handle(int number) {
  (void)number;
  handled++;
}

static int Call(void) {
  if (strcmp(what, "semaphore") == 0 || strcmp(what, "restarted") == 0) return sem_wait(&semaphore);
  if (strcmp(what, "poll") == 0) return poll(&(struct pollfd){ends[0], POLLIN, 0}, 1, -1) == 1 ? 0 : -1;
  if (strcmp(what, "sleep") == 0) return nanosleep(&(struct timespec){1, 0}, 0);
  if (strcmp(what, "futex") == 0) return syscall(SYS_futex, &word, FUTEX_WAIT, 0, 0, 0, 0) == 0 || errno == EAGAIN ? 0 : -1;
  if (strcmp(what, "mutex") == 0) return pthread_mutex_lock(&mutex) == 0 ? pthread_mutex_unlock(&mutex) : 1;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  return sigwaitinfo(&set, 0) == SIGUSR2 ? 0 : -1;
}

static void *Wait(void *arg) {
  int interrupted = 0;
  while (Call() != 0) {
    assert(errno == EINTR && handled == 1);
    interrupted = 1;
  }
  heddle_outcome(interrupted ? "EINTR" : "before");
  return arg;
}

int main(int argc, char **argv) {
  what = argv[1];
  const int restarts = strcmp(argv[argc - 1], "restarted") == 0;
  struct sigaction action = {.sa_handler = Handle, .sa_flags = restarts ? SA_RESTART : 0};
  sigaction(SIGUSR1, &action, 0);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &set, 0);
  sem_init(&semaphore, 0, 0);
  assert(pipe(ends) == 0);
  pthread_mutex_lock(&mutex);
  pthread_t thread;
  pthread_create(&thread, 0, Wait, 0);
  pthread_kill(thread, SIGUSR1);
  sem_post(&semaphore);
  assert(write(ends[1], "x", 1) == 1);
  __atomic_store_n(&word, 1, __ATOMIC_SEQ_CST);
  syscall(SYS_futex, &word, FUTEX_WAKE, 1, 0, 0, 0);
  pthread_mutex_unlock(&mutex);
  if (strcmp(what, "wait") == 0) pthread_kill(thread, SIGUSR2);
  pthread_join(thread, 0);
}
