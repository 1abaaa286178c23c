// A ring of two elements with one producer and one consumer, and bounded attempts of both: how many of them fail is part of the
// outcome. Numbers of Mazurkiewicz traces as two independent checkers have them: 6,321 with 6 attempts, 187,137 with 8.
// heddle: check --reduction optimal -- 6
// expect: verdict=clean complete=true executions=6321 redundant=0
// heddle: check --reduction optimal -- 8
// expect: verdict=clean complete=true executions=187137 redundant=0
// heddle: check -- 3
// expect: verdict=clean complete=true
// traces: 44 enumerated -- 3
#include <heddle.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "run_threads.h"

static atomic_int head, tail;
static int attempts, pushed, popped;

static void *Push(void *arg) {
  for (int i = 0; i < attempts; i++) {
    const int at = atomic_load(&tail);
    if (at - atomic_load(&head) == 2) continue;
    atomic_store(&tail, at + 1);
    pushed++;
  }
  return arg;
}

static void *Pop(void *arg) {
  for (int i = 0; i < attempts; i++) {
    const int at = atomic_load(&head);
    if (at == atomic_load(&tail)) continue;
    atomic_store(&head, at + 1);
    popped++;
  }
  return arg;
}

int main(int argc, char **argv) {
  pthread_t producer, consumer;
  attempts = argc > 1 ? atoi(argv[1]) : 3;
  pthread_create(&producer, 0, Push, 0);
  pthread_create(&consumer, 0, Pop, 0);
  pthread_join(producer, 0);
  pthread_join(consumer, 0);
  heddle_outcome("%d pushed, %d popped", pushed, popped);
}
