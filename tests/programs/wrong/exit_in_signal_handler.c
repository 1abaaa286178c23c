// A handler of SIGSEGV that ends the program: its exit status counts.
// heddle: check
// expect: verdict=bug kind=exit-status message~9
// One thread: 1 execution.
// traces: 1 enumerated --keep-going
#include <signal.h>
#include <stdlib.h>

static void Handle(int number) {
  (void)number;
  exit(9);
}

int main() {
  signal(SIGSEGV, Handle);
  *(volatile int *)0 = 1;
}
