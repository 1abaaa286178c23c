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
