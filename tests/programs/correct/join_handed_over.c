// A thread that has not ended yet is left to another one to join. With E the end of the thread, T the try, B and J where
// the other begins to join and joins:
//   E T: joined at once; T E B J, T B E J: handed over
// As two threads handle it, so are main's beginning to join the other one and that one's end, in either order: 1 + 2 * 2.
// heddle: check --reduction optimal
// expect: verdict=clean complete=true redundant=0 outcomes=joined,handed_over
// traces: 5 enumerated
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <heddle.h>
#include <pthread.h>

static pthread_t thread;

static void *Nothing(void *arg) { return arg; }

static void *Join(void *arg) {
  assert(pthread_join(thread, 0) == 0);
  return arg;
}

int main(void) {
  pthread_create(&thread, 0, Nothing, 0);
  if (pthread_tryjoin_np(thread, 0) == 0) {
    heddle_outcome("joined");
    return 0;
  }
  pthread_t other;
  pthread_create(&other, 0, Join, 0);
  pthread_join(other, 0);
  heddle_outcome("handed_over");
}
