// 64 MB of initialised tables, a few pages written per execution: rewinding must cost what was
// written, so that 20,000 executions take seconds (copying everything back would take minutes).
// heddle: check --order random --executions 20000
// expect: verdict=incomplete executions=20000 elapsed_s<=60
// Graphs: two updates in each thread, C(4,2) = 6.
// traces: 6 enumerated
#include <stdatomic.h>

#include "run_threads.h"

enum { kBytes = 64 << 20, kPage = 4096 };

static char table[kBytes];
static atomic_int x;

// Before main, like any static initialiser.
__attribute__((constructor)) static void Fill() {
  for (int i = 0; i < kBytes; i += kPage) table[i] = (char)(i / kPage | 1);
}

static void *Write(void *arg) {
  long at = ((long)arg + 1) * 1000 * kPage;
  assert(table[at] == (char)(at / kPage | 1));
  x++;
  table[at] = 0;
  x++;
  return 0;
}

int main() {
  RunSame(2, Write);
  assert(table[1000 * kPage] == 0 && table[2000 * kPage] == 0);
}
