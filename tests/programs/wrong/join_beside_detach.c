// One thread detaches a thread that another joins. That is in order while the other waits in pthread_join, an error
// before that and after it: so the order of detaching, beginning to join and joining shows.
// heddle: check --keep-going
// expect: verdict=bug complete=true kinds=misuse bugs=2 outcomes=1,2
// The same with plain enumeration:
// heddle: check --keep-going --order depth-first
// expect: verdict=bug complete=true kinds=misuse bugs=2 outcomes=1,2
#define _GNU_SOURCE
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_t thread;
static atomic_int x;

static void *Store(void *arg) {
  x = 1;
  return arg;
}

static void *Join(void *arg) {
  pthread_join(thread, 0);
  return arg;
}

int main(void) {
  pthread_t joiner;
  pthread_create(&thread, 0, Store, 0);
  pthread_create(&joiner, 0, Join, 0);
  x = 2;
  pthread_detach(thread);
  pthread_join(joiner, 0);
  heddle_outcome("%d", x);
}
