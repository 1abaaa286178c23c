// An incremental collector: it marks an object grey, scans its 40 fields, and marks it black. A mutator moves a reference from a field that is not scanned
// yet to one that is; the write barrier looks only whether the object is black.
// Interleaving: the mutator must come after field 2 was scanned and before field 30, and make its two stores there: one preemption, of the collector, and
// the mutator runs through at one go. Three more mutators move references in other objects.
// bug: preemptions=1 threads=5
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check
// expect: verdict=clean complete=true
#include <stdatomic.h>

#include "run_threads.h"

enum { kFields = 40, kFrom = 30, kTo = 2, kWhite = 0, kGrey = 1, kBlack = 2 };

static atomic_int fields[kFields], colour, marked, remembered;
static atomic_int other[3];

static void *Collect(void *arg) {
  colour = kGrey;
  int seen = 0;
  for (int i = 0; i < kFields; i++)
    if (fields[i]) seen = 1;
  colour = kBlack;
  marked = seen || remembered;
  return arg;
}

static void *Move(void *arg) {
  int reference = fields[kFrom];
  fields[kTo] = reference;
#ifdef FIXED
  if (colour != kWhite) remembered = 1;
#else
  if (colour == kBlack) remembered = 1;
#endif
  fields[kFrom] = 0;
  return arg;
}

static void *Elsewhere(void *arg) {
  for (int i = 0; i < 6; i++) other[i % 3]++;
  return arg;
}

int main() {
  fields[kFrom] = 1;
  RunThreads(4, (Body[]){Elsewhere, Collect, Move, Elsewhere});
  assert(marked);
}
