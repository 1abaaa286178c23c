// A sequence lock whose counter is a byte: after 128 writes it is the same again.
// Interleaving: the reader reads the counter and the first half; the writer makes 128 writes, and the reader reads the second half
// and the same counter. One preemption, and a long one, so that a random scheduler hardly ever makes it.
// Right: 32 bits.
// bug: preemptions=1 threads=3
// heddle: check --order context-bounded
// expect: verdict=bug kind=assertion preemptions=1
// heddle: check
// expect: verdict=bug kind=assertion found_by=rff
// fixed: check --order random --executions 800
// expect: verdict=incomplete bugs=0
#include <stdatomic.h>

#include "run_threads.h"

enum { kWrites = 128 };

#ifdef FIXED
typedef _Atomic unsigned Counter;
#else
typedef _Atomic unsigned char Counter;
#endif

static Counter sequence;
static atomic_int left, right;

static void *Write(void *arg) {
  for (int i = 1; i <= kWrites; i++) {
    sequence++;
    left = i;
    right = i;
    sequence++;
  }
  return arg;
}

static void *Read(void *arg) {
  for (int attempt = 0; attempt < 3; attempt++) {
    unsigned before = sequence;
    if (before & 1) continue;
    int l = left, r = right;
    if (sequence == before) assert(l == r);
  }
  return arg;
}

int main() { RunThreads(2, (Body[]){Write, Read}); }
