// A choice in an atomic section, after which one option waits and another one ends the program: what each of them does is told
// apart. x = 1 and the lock is taken before B takes it (11), after B gave it back (1, 10), or B never gets it, because A keeps it:
// a deadlock.
// heddle: check --keep-going
// expect: verdict=bug kind=deadlock complete=true outcomes=0,0e,10e,11e,1e,2e
// heddle: check --keep-going --reduction source
// expect: verdict=bug kind=deadlock complete=true outcomes=0,0e,10e,11e,1e,2e
// heddle: check --keep-going --reduction dpor
// expect: verdict=bug kind=deadlock complete=true outcomes=0,0e,10e,11e,1e,2e
// heddle: check --keep-going --reduction none
// expect: verdict=bug kind=deadlock complete=true outcomes=0,0e,10e,11e,1e,2e
// Graphs. 0: A's two steps among B's load and store and main's load: C(5,2) = 10. 1: A has the mutex before B, and B
// waits for ever, 1; or looks while B has it, before or after B's load, and makes its last step at 3 places after that,
// 6; or comes after B's unlock, with both steps among B's store and main's load, C(4,2) = 6. 2: A ends the program when
// B and main have made 0 to 5 of their steps, 6. 29.
// graphs: 29 --keep-going
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *A(void *arg) {
  heddle_atomic_begin();
  int choice = heddle_choose(3);
  x = choice;
  if (choice == 1) pthread_mutex_lock(&mutex);
  if (choice == 2) exit(0);
  heddle_atomic_end();
  x++;
  return arg;
}

static void *B(void *arg) {
  pthread_mutex_lock(&mutex);
  int value = x;
  pthread_mutex_unlock(&mutex);
  x = value * 10;
  return arg;
}

int main() {
  pthread_t a, b;
  pthread_create(&a, 0, A, 0);
  pthread_create(&b, 0, B, 0);
  pthread_join(b, 0);
  heddle_outcome("%d", x);
  pthread_join(a, 0);
  heddle_outcome("%de", x);
}
