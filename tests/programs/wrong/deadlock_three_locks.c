// Three philosophers, each taking the fork on the left first: a cycle of three locks, one
// preemption.
// heddle: check
// expect: verdict=bug kind=deadlock preemptions=1 location=@right
// heddle: check --order depth-first --keep-going
// expect: verdict=bug complete=true executions=168 happens_before=7 bugs=1 preemptions=1 fewer_may_do=false
// traces: 7 enumerated --keep-going
#include "run_threads.h"

static pthread_mutex_t forks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_MUTEX_INITIALIZER};

static void *Dine(void *arg) {
  long left = (long)arg, right = (left + 1) % 3;
  pthread_mutex_lock(&forks[left]);
  pthread_mutex_lock(&forks[right]);  // @right
  pthread_mutex_unlock(&forks[right]);
  pthread_mutex_unlock(&forks[left]);
  return 0;
}

int main() { RunSame(3, Dine); }
