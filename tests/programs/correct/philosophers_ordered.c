// N philosophers who take the fork with the lower number first: no deadlock. Each fork goes to one
// of its neighbours first, in all combinations but the two that go round in a circle: 2^N - 2.
// heddle: check --order depth-first -- 3
// expect: verdict=clean complete=true executions=142 happens_before=6
// traces: 2 enumerated -- 2
// traces: 6 enumerated -- 3
// traces: 510 -- 9
#include <stdlib.h>

#include "run_threads.h"

static pthread_mutex_t forks[kMostThreads];
static int count;

static void *Dine(void *arg) {
  int me = (int)(long)arg, next = (me + 1) % count;
  int low = me < next ? me : next, high = me < next ? next : me;
  pthread_mutex_lock(&forks[low]);
  pthread_mutex_lock(&forks[high]);
  pthread_mutex_unlock(&forks[high]);
  pthread_mutex_unlock(&forks[low]);
  return 0;
}

int main(int argc, char **argv) {
  assert(argc == 2);
  count = atoi(argv[1]);
  for (int i = 0; i < count; i++) pthread_mutex_init(&forks[i], 0);
  RunSame(count, Dine);
}
