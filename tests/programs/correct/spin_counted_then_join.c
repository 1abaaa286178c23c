// A loop whose rounds run out, then a join: the join ends the rounds, and what is read after it is ordered with the other thread.
// heddle: check --reduction optimal
// expect: verdict=clean complete=true redundant=0
// heddle: check --reduction source
// expect: verdict=clean complete=true
// heddle: check --reduction none
// expect: verdict=clean complete=true
// Graphs: only the last look of the loop matters (docs/algorithms/spinning.md). It comes before the write or after it: 2.
// traces: 2 enumerated
#include <pthread.h>
#include <stdatomic.h>

static atomic_int first, second;
static int seen;

static void *Write(void *arg) {
  second = 2;
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, Write, NULL);
  for (int i = 0; i < 40; i++) {
    if (second == 1) {
      seen = first;
      break;
    }
  }
  pthread_join(thread, NULL);
  seen += first + second;
  return seen == 9;
}
