// Two threads wait in sigwait for signals of the process: each may take either.
// heddle: check
// expect: verdict=clean complete=true outcomes=0,1
// Graphs: which of the two takes the first signal, 2; each before or after the second is sent, 4.
// heddle: check --order depth-first --reduction none
// expect: verdict=clean complete=true executions=4 outcomes=0,1
// heddle: check --order depth-first --reduction source
// expect: verdict=clean complete=true executions=4 outcomes=0,1
// heddle: check --order depth-first --reduction optimal
// expect: verdict=clean complete=true executions=4 outcomes=0,1
// heddle: check --order depth-first --reduction happens-before
// expect: verdict=clean complete=true executions=4 outcomes=0,1
#define _GNU_SOURCE
#include <heddle.h>
#include <signal.h>
#include <unistd.h>

#include "run_threads.h"

static void *Wait(void *arg) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGUSR2);
  int number;
  assert(sigwait(&set, &number) == 0);
  return number == SIGUSR1 ? arg : 0;
}

int main(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &set, 0);
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, Wait, &threads[i]);
  kill(getpid(), SIGUSR1);
  kill(getpid(), SIGUSR2);
  int first = -1;
  for (int i = 0; i < 2; i++) {
    void *took;
    pthread_join(threads[i], &took);
    if (took != 0) first = i;
  }
  heddle_outcome("%d", first);
}
