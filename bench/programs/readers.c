// A writer and n readers of one word: 2^n traces.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { kMost = 60 };

static _Atomic int x;

static void *Write(void *argument) {
  atomic_store(&x, 1);
  return argument;
}

static void *Read(void *argument) {
  (void)atomic_load(&x);
  return argument;
}

int main(int argc, char **argv) {
  const int readers = argc > 1 ? atoi(argv[1]) : 10;
  pthread_t threads[kMost + 1];
  pthread_create(&threads[0], 0, Write, 0);
  for (int i = 1; i <= readers; ++i) pthread_create(&threads[i], 0, Read, 0);
  for (int i = 0; i <= readers; ++i) pthread_join(threads[i], 0);
}
