// Signal handlers as a program installs them that asks for X/Open only: heddle's own handlers stay, and memory that the program
// writes is noticed as ever.
// heddle: check
// expect: verdict=clean complete=true executions=1
// Graphs: the thread ends, and is joined, 1.
// graphs: 1
// std: c99
#define _XOPEN_SOURCE 600
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

static volatile sig_atomic_t handled, last;
static char large[1 << 20];

static void Handle(int number) {
  handled++;
  last = number;
}

static void *Write(void *arg) {
  memset(large, 1, sizeof large);
  return arg;
}

int main(void) {
  assert(large[0] == 0 && large[sizeof large - 1] == 0);
  assert(signal(SIGSEGV, Handle) == SIG_DFL);
  pthread_t thread;
  pthread_create(&thread, 0, Write, 0);
  pthread_join(thread, 0);
  assert(handled == 0);

  // A handler of System V's is for one signal.
  assert(signal(SIGUSR1, Handle) == SIG_DFL);
  raise(SIGUSR1);
  assert(handled == 1 && last == SIGUSR1);
  assert(signal(SIGUSR1, SIG_DFL) == SIG_DFL);

  assert(sigset(SIGUSR1, Handle) == SIG_DFL);
  assert(sighold(SIGUSR1) == 0);
  raise(SIGUSR1);
  assert(handled == 1);
  assert(sigset(SIGUSR1, SIG_HOLD) == SIG_HOLD);
  assert(sigpause(SIGUSR1) == -1 && errno == EINTR && handled == 2);
  assert(sigrelse(SIGUSR1) == 0);
  raise(SIGUSR1);
  assert(handled == 3);
  assert(sigignore(SIGUSR1) == 0);
  raise(SIGUSR1);
  assert(handled == 3);
  assert(sighold(1000) == -1 && errno == EINVAL);
  assert(siginterrupt(SIGUSR1, 1) == 0);
}
