// Nobody sees what is undone within an atomic section. No graph of reads-from says so: it ends
// there, in place of running what no schedule does.
// heddle: check --memory-model sc --reduction reads-from
// expect: incomplete=reads-from-operation   outcomes=0
#include <heddle.h>
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int x;

static void *Undo(void *unused) {
  heddle_atomic_begin();
  x = 1;
  x = 0;
  heddle_atomic_end();
  return unused;
}

static void *Look(void *unused) {
  const int seen = x;
  assert(seen == 0);
  heddle_outcome("%d", seen);
  return unused;
}

int main(void) { RunThreads(2, (Body[]){Undo, Look}); }
