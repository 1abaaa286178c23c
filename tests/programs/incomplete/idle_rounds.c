// The loop counts its rounds, and the number matters.
// heddle: check
// expect: incomplete=idle-rounds,many-rounds
#include <stdatomic.h>
#include <stdio.h>

#include "run_threads.h"

static atomic_int flag;
static volatile int rounds;

static void* Set(void* arg) {
  flag = 1;
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, Set, 0);
  while (!flag) ++rounds;
  pthread_join(thread, 0);
  return rounds < 0;
}
