// The One Page Model Checker's semaphores (section 7). Two threads raise them in opposite orders,
// so each may wait for what the other has: a deadlock. With "left" the second thread has ended, and
// nobody lowers what the first one waits for: it is blocked for ever, which is an error, too.
//
// Of the statements up(1) up(2) down(2) down(1) and up(2) up(1) down(1) down(2): after one of each,
// nobody can go on.
// heddle: check --preset one-page
// expect: verdict=bug bugs=1 kind=deadlock preemptions=1
// heddle: check --order depth-first --points hooks
// expect: verdict=bug bugs=1 kind=deadlock preemptions=1
// heddle: check --points sync --reduction optimal
// expect: verdict=bug bugs=1 kind=deadlock
// heddle: check --preset one-page -- left
// expect: verdict=bug bugs=1 kind=deadlock preemptions=0 execution=1
#include <heddle.h>

#include "run_threads.h"

static int left;

static void *First(void *arg) {
  (void)arg;
  heddle_hook();
  heddle_up(1);
  heddle_hook();
  heddle_up(left ? 1 : 2);
  heddle_hook();
  heddle_down(2);
  heddle_hook();
  heddle_down(1);
  return 0;
}

static void *Second(void *arg) {
  (void)arg;
  heddle_hook();
  heddle_up(2);
  if (!left) {
    heddle_hook();
    heddle_up(1);
    heddle_hook();
    heddle_down(1);
  }
  heddle_hook();
  heddle_down(2);
  return 0;
}

int main(int argc, char **argv) {
  (void)argv;
  left = argc > 1;
  heddle_shared(&left, sizeof left);
  const Body bodies[] = {First, Second};
  RunThreads(2, bodies);
}
