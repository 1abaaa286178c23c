// memcpy reads what another thread's memset writes; sizes that no compiler inlines.
// compilers: gcc clang   opt: -O0 -O2
// (Not static: what is never read again would be optimised away.)
// heddle: check
// expect: verdict=bug kind=data-race location=@copy location=@set
// Graphs: the copy before or after the write, 2.
// traces: 2 enumerated --keep-going
#include <string.h>

#include "run_threads.h"

char source[1000], target[1000];
static volatile size_t size = 1000;

static void *Copy(void *arg) {
  (void)arg;
  memcpy(target, source, size);  // @copy
  return 0;
}

static void *Set(void *arg) {
  (void)arg;
  memset(source + 900, 1, size - 900);  // @set
  return 0;
}

int main() { RunThreads(2, (Body[]){Copy, Set}); }
