// A large struct is copied while another thread writes one member in its middle.
// compilers: clang   opt: -O0 -O2
// (Not static: what is never read again would be optimised away.)
// heddle: check
// expect: verdict=bug kind=data-race location=@copy location=@member
// Graphs: the copy before or after the write, 2. (gcc: race_struct_copy_twice.c.)
// traces: 2 enumerated --keep-going
#include "run_threads.h"

struct Large {
  int numbers[100];
};

struct Large source, copy;

static void *Copy(void *arg) {
  (void)arg;
  copy = source;  // @copy
  return 0;
}

static void *Write(void *arg) {
  (void)arg;
  source.numbers[50] = 1;  // @member
  return 0;
}

int main() { RunThreads(2, (Body[]){Copy, Write}); }
