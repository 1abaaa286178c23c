// A ticket lock has one execution for each order in which the tickets are drawn: n!, with nothing
// cut short, however the threads wait.
// opt: -O2   compilers: gcc
// traces: 2 enumerated -- 2 0
// traces: 6 enumerated -- 3 0
// traces: 24 -- 4 0
// traces: 120 -- 5 0
// traces: 6 -- 3 1
// traces: 24 -- 4 1
// traces: 6 -- 3 2
// traces: 24 -- 4 2
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_uint next_ticket, serving;
static int wait_in_turn;  // 0: at once, 1: yields, 2: back-off in proportion to those ahead
static int counter;

static void Wait(unsigned ticket) {
  switch (wait_in_turn) {
    case 0:
      while (atomic_load_explicit(&serving, memory_order_acquire) != ticket) {
      }
      return;
    case 1:
      for (;;) {
        if (atomic_load_explicit(&serving, memory_order_acquire) == ticket) return;
        sched_yield();
      }
    default:
      for (;;) {
        const unsigned ahead = ticket - atomic_load_explicit(&serving, memory_order_acquire);
        if (ahead == 0) return;
        for (unsigned i = 0; i < 10 * ahead; ++i) __asm__ volatile("pause");
      }
  }
}

static void *Work(void *arg) {
  const unsigned ticket = atomic_fetch_add(&next_ticket, 1);
  Wait(ticket);
  ++counter;
  atomic_store_explicit(&serving, ticket + 1, memory_order_release);
  return arg;
}

int main(int argc, char **argv) {
  pthread_t threads[8];
  const int count = argc > 1 ? atoi(argv[1]) : 3;
  wait_in_turn = argc > 2 ? atoi(argv[2]) : 0;
  for (int i = 0; i < count; i++) pthread_create(&threads[i], NULL, Work, NULL);
  for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
}
