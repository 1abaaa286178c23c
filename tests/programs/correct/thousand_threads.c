// A thousand threads at once: no fixed cap.
// heddle: check --reduction optimal --executions 3
// expect: verdict=incomplete
// There are 1000! orders of the mutex.
#include "run_threads.h"

enum { kCount = 1000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *Add(void *arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  x++;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main() {
  static pthread_t threads[kCount];
  for (int i = 0; i < kCount; i++) assert(pthread_create(&threads[i], 0, Add, 0) == 0);
  for (int i = 0; i < kCount; i++) assert(pthread_join(threads[i], 0) == 0);
  assert(x == kCount);
}
