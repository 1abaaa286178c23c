// Two resources counted by semaphores, taken in opposite orders.
// heddle: check
// expect: verdict=bug kind=deadlock preemptions=1
// Graphs: either thread takes both first, or each takes one, the deadlock: 3.
// traces: 3 enumerated --keep-going
#include <semaphore.h>

#include "run_threads.h"

static sem_t scanner, printer;

static void *Copy(void *arg) {
  sem_t *first = arg ? &scanner : &printer, *second = arg ? &printer : &scanner;
  sem_wait(first);
  sem_wait(second);
  sem_post(second);
  sem_post(first);
  return 0;
}

int main() {
  sem_init(&scanner, 0, 1);
  sem_init(&printer, 0, 1);
  RunSame(2, Copy);
}
