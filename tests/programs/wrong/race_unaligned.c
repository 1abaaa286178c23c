// An unaligned 4-byte write overlaps one byte of another thread's write, across an 8-byte boundary.
// compilers: gcc clang   opt: -O0 -O2
// (Not static: what is never read again would be optimised away.)
// heddle: check
// expect: verdict=bug kind=data-race location=@wide location=@byte
// Graphs: two writes in two orders.
// traces: 2 enumerated --keep-going
#include <string.h>

#include "run_threads.h"

struct __attribute__((packed)) Record {
  char tag[6];
  int value;  // bytes 6 to 9
};

union {
  struct Record record;
  char bytes[16];
} shared __attribute__((aligned(8)));

static void *Wide(void *arg) {
  (void)arg;
  shared.record.value = 1;  // @wide
  return 0;
}

static void *Byte(void *arg) {
  (void)arg;
  shared.bytes[9] = 1;  // @byte
  return 0;
}

int main() { RunThreads(2, (Body[]){Wide, Byte}); }
