// "token ring": each thread copies its neighbour's token, and the final check wants all of them
// equal.
// heddle: check
// expect: verdict=bug kind=assertion preemptions=0
// Graphs: three sections under one mutex, 3! = 6.
// traces: 6 enumerated --keep-going
#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int tokens[4] = {1, 2, 3, 4};

static void *Copy(void *arg) {
  long me = (long)arg;
  pthread_mutex_lock(&mutex);
  tokens[(me + 1) % 4] = tokens[me];
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main() {
  RunSame(3, Copy);
  assert(tokens[0] == tokens[3]);
}
