// A writer of x, n threads that each write a y_i, and a reader of all y_i that then writes x:
// 2^(n+1) traces, and as many wakeup sequences before the first of one half of them is run.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { kMost = 60 };

static _Atomic int x, y[kMost];
static int count;

static void *WriteX(void *argument) {
  atomic_store(&x, 1);
  return argument;
}

static void *WriteY(void *argument) {
  atomic_store((_Atomic int *)argument, 1);
  return 0;
}

static void *ReadAll(void *argument) {
  for (int i = 0; i < count; ++i) (void)atomic_load(&y[i]);
  atomic_store(&x, 2);
  return argument;
}

int main(int argc, char **argv) {
  count = argc > 1 ? atoi(argv[1]) : 10;
  pthread_t threads[kMost + 2];
  pthread_create(&threads[0], 0, WriteX, 0);
  for (int i = 0; i < count; ++i) pthread_create(&threads[i + 1], 0, WriteY, &y[i]);
  pthread_create(&threads[count + 1], 0, ReadAll, 0);
  for (int i = 0; i < count + 2; ++i) pthread_join(threads[i], 0);
}
