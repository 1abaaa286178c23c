// Neighbouring bit fields are one memory location.
// compilers: gcc clang
// (Not static: what is never read again would be optimised away.)
// heddle: check
// expect: verdict=bug kind=data-race location=@first location=@second
// No number of graphs: GCC tells of the write alone (2 orders), Clang of the read that belongs to it, too (4).
#include "run_threads.h"

struct {
  unsigned first : 4;
  unsigned second : 4;
} bits;

static void *First(void *arg) {
  (void)arg;
  bits.first = 1;  // @first
  return 0;
}

static void *Second(void *arg) {
  (void)arg;
  bits.second = 2;  // @second
  return 0;
}

int main() { RunThreads(2, (Body[]){First, Second}); }
