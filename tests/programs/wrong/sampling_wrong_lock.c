// "wrong lock": one thread guards a value with one lock, N others with another one. The value is
// atomic, so that it is the lost update that shows, and not the data race.
// By --order, in the mean of 20 seeds: docs/algorithms/sampling.md.
// heddle: check --order pct -- 7
// expect: verdict=bug kind=assertion execution<=150
// heddle: check --order pct --depth 2 -- 7
// expect: verdict=bug kind=assertion execution<=150
// heddle: check --order pos -- 7
// expect: verdict=bug kind=assertion execution<=30
// heddle: check --order surw -- 7
// expect: verdict=bug kind=assertion execution<=40
// heddle: check --order rff -- 7
// expect: verdict=bug kind=assertion execution<=30
#include <stdatomic.h>
#include <stdlib.h>

#include "run_threads.h"

static pthread_mutex_t data_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t thread_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int value;

static void *Right(void *arg) {
  (void)arg;
  pthread_mutex_lock(&data_lock);
  int before = value;
  value = value + 1;
  assert(value == before + 1);
  pthread_mutex_unlock(&data_lock);
  return 0;
}

static void *Wrong(void *arg) {
  (void)arg;
  pthread_mutex_lock(&thread_lock);
  value = value + 1;
  pthread_mutex_unlock(&thread_lock);
  return 0;
}

int main(int argc, char **argv) {
  assert(argc == 2);
  int wrong = atoi(argv[1]);
  Body bodies[kMostThreads] = {Right};
  for (int i = 1; i <= wrong; i++) bodies[i] = Wrong;
  RunThreads(wrong + 1, bodies);
}
