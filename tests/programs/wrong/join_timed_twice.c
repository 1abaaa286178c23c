// Two threads join the same thread with a time limit. That is an error while both wait, and after one of them has
// succeeded; it is in order after one of them has timed out. Outcomes: what the two got, 10 for a timeout of the first, 20 for
// its success, and 1 for the thread.
// heddle: check --keep-going
// expect: verdict=bug complete=true kinds=misuse bugs=2 outcomes=1_0,1_110,10_110,11_0,11_110,21_110
// heddle: check --keep-going --points all
// expect: verdict=bug complete=true kinds=misuse bugs=2 outcomes=1_0,1_110,10_110,11_0,11_110,21_110
// heddle: check --keep-going --order depth-first
// expect: verdict=bug complete=true kinds=misuse bugs=2 outcomes=1_0,1_110,10_110,11_0,11_110,21_110
// traces.py derives 37 traces and 104 graphs.
// traces: 37 --keep-going
// graphs: 104 --keep-going
#define _GNU_SOURCE
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static pthread_t thread;
static atomic_int x;
static const struct timespec far = {.tv_sec = 4000000000};

static void *Store(void *arg) {
  x = 1;
  return arg;
}

static void *Join(void *arg) {
  const int result = pthread_timedjoin_np(thread, 0, &far);
  x += result != 0 ? 10 : 20;
  return arg;
}

int main(void) {
  pthread_t joiner;
  pthread_create(&thread, 0, Store, 0);
  pthread_create(&joiner, 0, Join, 0);
  const int result = pthread_timedjoin_np(thread, 0, &far);
  pthread_join(joiner, 0);
  heddle_outcome("%d_%d", x, result);
}
