// A futex wake of one of two sleepers may wake either; a requeue moves sleepers to another word;
// bit sets address them.
// heddle: check --bound preemptions=2
// expect: outcomes=apart,late,woke=0,woke=1
// Graphs: traces.py derives 48.
// traces: 48
#define _GNU_SOURCE
#include <errno.h>
#include <heddle.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "run_threads.h"

static atomic_int word, other;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int woken = -1, all_released;

static long Futex(atomic_int *at, int operation, int value, long value2, atomic_int *at2,
                  int value3) {
  return syscall(SYS_futex, at, operation | FUTEX_PRIVATE_FLAG, value, value2, at2, value3);
}

static void *Sleep(void *arg) {
  long me = (long)arg;
  long answer = Futex(&word, FUTEX_WAIT_BITSET, 0, 0, 0, 1 << me);
  assert(answer == 0 || errno == EAGAIN);
  pthread_mutex_lock(&mutex);
  if (answer == 0 && !all_released) {
    assert(woken < 0);
    woken = (int)me;
  }
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main() {
  pthread_t threads[2];
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], 0, Sleep, (void *)i);
  assert(Futex(&word, FUTEX_CMP_REQUEUE, 1, 1, &other, 7) == -1 && errno == EAGAIN);
  assert(Futex(&word, FUTEX_WAKE_BITSET, INT_MAX, 0, 0, 4) == 0);
  long moved = Futex(&word, FUTEX_CMP_REQUEUE, 0, INT_MAX, &other, 0);
  if (moved == 2) {
    assert(Futex(&word, FUTEX_WAKE, INT_MAX, 0, 0, 0) == 0);
    assert(Futex(&other, FUTEX_WAKE, 1, 0, 0, 0) == 1);
  }
  pthread_mutex_lock(&mutex);
  all_released = 1;
  pthread_mutex_unlock(&mutex);
  word = 1;  // who comes now does not sleep
  Futex(&word, FUTEX_WAKE, INT_MAX, 0, 0, 0);
  assert(Futex(&other, FUTEX_WAKE, INT_MAX, 0, 0, 0) == (moved == 2 ? 1 : moved));
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  if (moved != 2)
    heddle_outcome("apart");
  else if (woken < 0)
    heddle_outcome("late");
  else
    heddle_outcome("woke=%d", woken);
}
