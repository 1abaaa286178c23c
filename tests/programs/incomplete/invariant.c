// The two writes are independent, so a reduction runs one order of them; the invariant is broken between them in the other.
// heddle: check --reduction optimal
// expect: incomplete=invariant
#include <heddle.h>
#include <stdatomic.h>

#include "run_threads.h"

static atomic_int first, second;

static int InOrder(void* arg) {
  (void)arg;
  return first + second >= 0;
}

static void* Second(void* arg) {
  second = 1;
  return arg;
}

int main(void) {
  heddle_invariant(InOrder, 0);
  pthread_t thread;
  pthread_create(&thread, 0, Second, 0);
  first = 1;
  pthread_join(thread, 0);
}
