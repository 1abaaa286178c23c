// A lock-free free list of buffers with three users. To give a buffer back, its number is put in front; a compare-and-swap that
// failed is tried again with the fresh head, but without writing the buffer's link anew.
// Interleaving: a user gives back a buffer and has written the link; another one changes the head; the compare-and-swap fails
// and the second one succeeds with the stale link: what is behind the new head is lost, or handed out while in use.
// bug: preemptions=2 threads=4
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check --order random --executions 2000
// expect: verdict=incomplete bugs=0
#include <stdatomic.h>

#include "run_threads.h"

enum { kBuffers = 3, kNone = -1 };

static atomic_int link_of[kBuffers], used[kBuffers];
static atomic_llong tagged;  // the head, and above it the number of changes

static int Get(void) {
  long long old = tagged;
  for (;;) {
    int first = (int)(old & 0xff) - 1;
    if (first == kNone) return kNone;
    long long fresh = ((old >> 8) + 1) << 8 | (link_of[first] + 1);
    if (atomic_compare_exchange_strong(&tagged, &old, fresh)) {
      assert(atomic_exchange(&used[first], 1) == 0);
      return first;
    }
  }
}

static void Give(int buffer) {
  used[buffer] = 0;
  long long old = tagged, fresh;
  link_of[buffer] = (int)(old & 0xff) - 1;
  do {
#ifdef FIXED
    link_of[buffer] = (int)(old & 0xff) - 1;
#endif
    fresh = ((old >> 8) + 1) << 8 | (buffer + 1);
  } while (!atomic_compare_exchange_strong(&tagged, &old, fresh));
}

static void *Use(void *arg) {
  int a = Get();
  if (a != kNone) Give(a);
  return arg;
}

int main() {
  for (int i = 0; i < kBuffers; i++) link_of[i] = i + 1 < kBuffers ? i + 1 : kNone;
  tagged = 1;
  RunSame(3, Use);
  int left = 0;
  while (Get() != kNone) left++;
  assert(left == kBuffers);
}
