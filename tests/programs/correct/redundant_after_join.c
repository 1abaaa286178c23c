// A writer and two readers; main joins them and ends with pthread_exit: each reader sees the old value or the new one,
// 4 traces. What follows the joins belongs to main alone, whichever thread's end lets it go.
// heddle: check --reduction optimal
// expect: verdict=clean complete=true redundant=0
// traces: 4 enumerated
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *Write(void *arg) {
  atomic_store(&x, 1);
  return arg;
}

static void *Read(void *arg) {
  atomic_load(&x);
  return arg;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, Write, 0);
  pthread_create(&threads[1], 0, Read, 0);
  pthread_create(&threads[2], 0, Read, 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  pthread_exit(0);
}
