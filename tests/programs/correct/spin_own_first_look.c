// Clang likes to give the first look of a loop code of its own, if there is a yield or a back-off between looks. Then it
// would be a step, and the two orders of it and a store two behaviours. (3 executions, and 576 for four threads.)
// opt: -O1 -O2   compilers: gcc clang
// traces: 1 enumerated -- 0
// traces: 1 enumerated -- 1
// traces: 24 -- 2
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag;
static atomic_uint next_ticket, serving;
static int counter;

static void *Count(void *arg) {
  for (int i = 1; i <= 2; i++) atomic_store(&flag, i);
  return arg;
}

static void *TakeTurn(void *arg) {
  const unsigned ticket = atomic_fetch_add(&next_ticket, 1);
  while (atomic_load(&serving) != ticket) sched_yield();
  ++counter;
  atomic_store(&serving, ticket + 1);
  return arg;
}

int main(int argc, char **argv) {
  pthread_t threads[4];
  const int way = argc > 1 ? atoi(argv[1]) : 0;
  const int count = way == 2 ? 4 : 1;
  for (int i = 0; i < count; i++) pthread_create(&threads[i], NULL, way == 2 ? TakeTurn : Count, NULL);
  if (way == 0) {
    while (atomic_load(&flag) != 2) sched_yield();
  } else if (way == 1) {
    while (atomic_load(&flag) != 2) __asm__ volatile("pause");
  }
  for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
}
