// Two threads that work on blocks of the heap by plain accesses, under a lock: what the checks of
// each access cost (bench/lifetimes_bench.py).
//
// Usage: plain_accesses [NUMBERS]
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int total;
static int numbers;

static void *Work(void *argument) {
  int *block = malloc(sizeof *block * (size_t)numbers);
  for (int i = 0; i < numbers; ++i) block[i] = i;
  int sum = 0;
  for (int i = 0; i < numbers; ++i) sum += block[(i * 7) % numbers];
  free(block);
  pthread_mutex_lock(&mutex);
  total += sum;
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(int argc, char **argv) {
  numbers = argc > 1 ? atoi(argv[1]) : 10000;
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, Work, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
}
