// More threads than --reduction happens-before has room for.
// heddle: check --reduction happens-before --bound preemptions=0
// expect: incomplete=wide-table
#include "run_threads.h"

static void* Run(void* arg) { return arg; }

int main(void) {
  enum { kThreads = 65 };
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; ++i) {
    pthread_create(&threads[i], 0, Run, 0);
    pthread_join(threads[i], 0);
  }
}
