// SIGILL: an instruction that does not exist.
// heddle: check
// expect: verdict=bug kind=crash message~SIGILL location=@trap
// main only joins the thread: 1 execution.
// traces: 1 enumerated --keep-going
#include "run_threads.h"

static void *Trap(void *arg) {
  (void)arg;
  __asm__ volatile("ud2");  // @trap
  return 0;
}

int main() { RunSame(1, Trap); }
