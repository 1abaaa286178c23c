// A write to an address that is nowhere.
// compilers: gcc clang
// heddle: check
// expect: verdict=bug kind=crash message~"nothing is mapped" location=@crash
// main only joins the thread: 1 execution.
// traces: 1 enumerated --keep-going
#include "run_threads.h"

static volatile long address = 0x123456789000;

static void *Write(void *arg) {
  (void)arg;
  *(volatile int *)address = 1;  // @crash
  return 0;
}

int main() { RunSame(1, Write); }
