// A loop that sleeps by poll or select without descriptors is a spin loop like one with nanosleep: it waits until somebody
// writes what it reads. It is not known to change nothing, so its looks are steps; two are made in vain before it waits
// (docs/algorithms/spinning.md). Each of the loops looks 0, 1 or 2 times in vain: 3 * 3 traces.
// heddle: check
// expect: verdict=clean executions=9 complete=true
// graphs: 9
// every search: none
#include <poll.h>
#include <stdatomic.h>
#include <sys/select.h>

#include "run_threads.h"

static atomic_int ready[2];

static void *Polls(void *arg) {
  (void)arg;
  while (!ready[0]) poll(0, 0, 1);
  return 0;
}
static void *Selects(void *arg) {
  (void)arg;
  while (!ready[1]) {
    struct timeval length = {0, 10};
    select(0, 0, 0, 0, &length);
  }
  return 0;
}
static void *Sets(void *arg) {
  (void)arg;
  ready[0] = 1;
  ready[1] = 1;
  return 0;
}

int main() { RunThreads(3, (Body[]){Polls, Selects, Sets}); }
