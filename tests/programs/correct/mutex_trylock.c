// trylock answers EBUSY exactly when somebody else is inside; both answers are found.
// heddle: check --order depth-first
// expect: verdict=clean complete=true outcomes=busy=0,busy=1
// Graphs: either thread gets the lock first, and the other one tries while it is held or after that: 4.
// traces: 4 enumerated
#include <errno.h>
#include <heddle.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int inside;
static int busy[2];

static void *Try(void *arg) {
  long me = (long)arg;
  int answer = pthread_mutex_trylock(&mutex);
  if (answer == 0) {
    assert(inside == 0);
    inside = 1;
    inside = 0;
    pthread_mutex_unlock(&mutex);
  } else {
    assert(answer == EBUSY);
    busy[me] = 1;
  }
  return 0;
}

int main() {
  RunSame(2, Try);
  assert(busy[0] + busy[1] < 2);
  heddle_outcome("busy=%d", busy[0] + busy[1]);
}
