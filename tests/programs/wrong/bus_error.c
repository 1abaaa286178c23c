// A mapping of an empty file has no memory behind it: SIGBUS, in the thread that touches it.
// compilers: gcc clang
// heddle: check
// expect: verdict=bug kind=crash thread=T1 preemptions=0 location=@touch message~SIGBUS
// main only joins the thread: 1 execution.
// traces: 1 enumerated --keep-going
#define _GNU_SOURCE
#include <sys/mman.h>

#include "run_threads.h"

static void *Touch(void *arg) {
  const int file = memfd_create("empty", 0);
  volatile char *page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  assert(page != MAP_FAILED);
  page[0] = 1;  // @touch
  return arg;
}

int main() { RunSame(1, Touch); }
