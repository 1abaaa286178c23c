// One thread detaches a thread that another joins. That is in order while the other waits in pthread_join, an error
// before that and after it: so the order of detaching, beginning to join and joining shows.
// heddle: check --keep-going
// expect: verdict=bug complete=true kinds=misuse bugs=2 outcomes=1,2
// The same with plain enumeration:
// heddle: check --keep-going --order depth-first
// expect: verdict=bug complete=true kinds=misuse bugs=2 outcomes=1,2
// Graphs, with D the detaching, B and J the begin and end of the join, E the end of the thread, all of which conflict,
// and the stores before E and D. B D E J, B E D J, E B D J, and B E J D, E B J D, where D is the error, each with the
// stores in two orders: 6 and 4. D before B, which is the error: the thread has not stored, 1; has, 2; has ended,
// before or after D, 4: 7. Each of the 17 is two by another race: main's join of the other thread begins before that
// has ended or after it; or, where there is an error, only one of them comes before that, or none.
// graphs: 34 --keep-going
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
