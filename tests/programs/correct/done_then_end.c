// A thread that is done ends the program. That is an operation of its own: between T1's store and its exit main may load what it
// stored, and end the program first. In an atomic section an end comes at once.
// 4 traces where T1 is done: main loads before the store (0) or after it (1), and either may end the program. In a section there are 3: main
// loads before it, and either ends the program, or T1 ends it by its section alone.
// heddle: check
// expect: verdict=clean complete=true outcomes=x=0,x=1
// heddle: check --reduction none
// expect: verdict=clean complete=true outcomes=x=0,x=1
// heddle: check -- section
// expect: verdict=clean complete=true outcomes=x=0
// heddle: check --reduction none -- section
// expect: verdict=clean complete=true outcomes=x=0
// traces: 4
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;
static int section;

static void *End(void *arg) {
  if (section)
    heddle_atomic_begin();
  else
    heddle_done();
  atomic_store(&x, 1);
  exit(0);
  return arg;
}

int main(int argc, char **argv) {
  (void)argv;
  pthread_t thread;
  section = argc > 1;
  pthread_create(&thread, 0, End, 0);
  const int seen = atomic_load(&x);
  heddle_outcome("x=%d", seen);
  exit(0);
}
