// philosophers N: each takes the two forks beside it, the one with the lower number first, and puts
// them down again, so that there is no deadlock.
// Traces: 2^N - 2 for N >= 2. For each fork, one of its two neighbours has it first, but not all
// the way round in one direction or the other.
#include "start.h"

static pthread_mutex_t forks[kMostThreads];
static int count;

static void* Dine(void* arg) {
  const int me = (int)(long)arg;
  const int next = (me + 1) % count;
  const int low = me < next ? me : next;
  const int high = me < next ? next : me;
  pthread_mutex_lock(&forks[low]);
  pthread_mutex_lock(&forks[high]);
  pthread_mutex_unlock(&forks[high]);
  pthread_mutex_unlock(&forks[low]);
  return NULL;
}

int main(int argc, char** argv) {
  (void)argc;
  count = Number(argv[1], "the number of philosophers", 2, kMostThreads);
  for (int i = 0; i < count; ++i) pthread_mutex_init(&forks[i], NULL);
  RunThreads(count, Dine);
  return 0;
}
