// A round of a loop that waits leaves behind what it found, where the next round overwrites it before anything reads it:
// in a global variable (argument 0), in one of two (1), and without optimisation in temporaries of C11's atomic_load (2), or
// of a compare-exchange (3). No later step can tell, so it is looked in vain: there is one behaviour. (8 executions of 8
// graphs when what was left behind counted.)
// opt: -O0 -O1 -O2   compilers: gcc clang
// traces: 1 enumerated -- 0
// traces: 1 enumerated -- 1
// traces: 1 enumerated -- 2
// traces: 1 enumerated -- 3
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { kLast = 4 };

static atomic_int flag;
static int copy, sum;

static void *Count(void *arg) {
  for (int i = 1; i <= kLast; i++) atomic_store(&flag, i);
  return arg;
}

int main(int argc, char **argv) {
  pthread_t thread;
  const int way = argc > 1 ? atoi(argv[1]) : 0;
  pthread_create(&thread, NULL, Count, NULL);
  switch (way) {
    case 0:
      while ((copy = atomic_load(&flag)) != kLast) {
      }
      break;
    case 1:
      do {
        copy = atomic_load(&flag);
        sum = copy;
      } while (sum != kLast);
      break;
    case 2:
      while (atomic_load(&flag) != kLast) {
      }
      break;
    case 3: {
      int expected = kLast;
      while (!atomic_compare_exchange_weak(&flag, &expected, 7)) expected = kLast;
    }
  }
  pthread_join(thread, NULL);
}
