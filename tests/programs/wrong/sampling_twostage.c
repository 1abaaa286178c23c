// "twostage_N": N-1 threads write two values that belong together, each under its own lock; one
// reads the first and then the second, before any second one is written.
// By --order, in the mean of 20 seeds: docs/algorithms/sampling.md.
// heddle: check --order pct -- 2
// expect: verdict=bug kind=assertion execution<=80
// heddle: check --order pos -- 2
// expect: verdict=bug kind=assertion execution<=70
// heddle: check --order surw -- 2
// expect: verdict=bug kind=assertion execution<=190
// heddle: check --order rff -- 2
// expect: verdict=bug kind=assertion execution<=90
// heddle: check --order pos -- 20
// expect: verdict=bug kind=assertion execution<=500
// heddle: check --order surw -- 20
// expect: verdict=bug kind=assertion execution<=1300
// heddle: check --order rff -- 20
// expect: verdict=bug kind=assertion execution<=80
#include <stdlib.h>

#include "run_threads.h"

static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second_lock = PTHREAD_MUTEX_INITIALIZER;
static int first_value, second_value;

static void *Write(void *arg) {
  (void)arg;
  pthread_mutex_lock(&first_lock);
  first_value = 1;
  pthread_mutex_unlock(&first_lock);
  pthread_mutex_lock(&second_lock);
  second_value = 2;
  pthread_mutex_unlock(&second_lock);
  return 0;
}

static void *Read(void *arg) {
  (void)arg;
  pthread_mutex_lock(&first_lock);
  int first = first_value;
  pthread_mutex_unlock(&first_lock);
  if (first == 0) return 0;
  pthread_mutex_lock(&second_lock);
  int second = second_value;
  pthread_mutex_unlock(&second_lock);
  assert(second == first + 1);
  return 0;
}

int main(int argc, char **argv) {
  assert(argc == 2);
  int writers = atoi(argv[1]) - 1;
  Body bodies[kMostThreads];
  for (int i = 0; i < writers; i++) bodies[i] = Write;
  bodies[writers] = Read;
  RunThreads(writers + 1, bodies);
}
