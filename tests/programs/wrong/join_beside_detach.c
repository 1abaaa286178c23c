// One thread detaches a thread that another joins. That is in order while the other waits in pthread_join, an error
// before that and after it: so the order of detaching, beginning to join and joining shows.
// heddle: check --keep-going
// expect: verdict=bug complete=true kinds=misuse bugs=2 outcomes=1,2
// The same with plain enumeration:
// heddle: check --keep-going --order depth-first
// expect: verdict=bug complete=true kinds=misuse bugs=2 outcomes=1,2
// Traces, with D the detaching, B and J the begin and end of the join, E the end of the thread, all of which conflict,
// and the stores before E and D, in two orders. In order are B D E J, B E D J, E B D J, each two by another race: main's
// join of the joiner begins before that has ended or after it: 12. D is the error in B E J D and E B J D, beside which
// the joiner ends: 4. B is in D B E, D E B and E D B, beside which main begins to join: 6. In all 22.
// Graphs: where D is the error, the joiner has not ended when the program does, has ended beside that, or before D: then no
// other thread lives, and the end of the program is no event: 4 * 3. Where B is, the thread has not stored, 1, has, 2, or
// has ended, 6, and main has begun to join or not: 9 * 2. With the 12 in all 42. (traces.py derives both, too.)
// traces: 22 --keep-going
// graphs: 42 --keep-going
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
