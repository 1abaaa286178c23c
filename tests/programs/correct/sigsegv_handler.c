// A program that handles its own faults goes on: by a jump out of the handler, and by repairing
// what it tried to write to.
// heddle: check
// expect: verdict=clean complete=true executions>=6
// Graphs: two updates in each thread, C(4,2) = 6.
// traces: 6 enumerated
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>

#include "run_threads.h"

static sigjmp_buf out;
static char *page;
static atomic_int x;

static void Handle(int number, siginfo_t *info, void *context) {
  (void)context;
  assert(number == SIGSEGV);
  if (page != 0 && info->si_addr == page)
    mprotect(page, 4096, PROT_READ | PROT_WRITE);
  else
    siglongjmp(out, 1);
}

static void *Add(void *arg) {
  (void)arg;
  x++;
  x++;
  return 0;
}

int main() {
  struct sigaction action = {0};
  action.sa_sigaction = Handle;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, 0);
  volatile int jumps = 0;
  for (int i = 0; i < 2; i++) {
    if (sigsetjmp(out, 1) == 0)
      *(volatile int *)8 = 1;
    else
      jumps++;
  }
  assert(jumps == 2);
  page = mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  double kept = 1.5 * jumps;
  *(volatile char *)page = 'x';
  assert(*page == 'x' && kept == 3.0);
  munmap(page, 4096);
  RunSame(2, Add);
}
