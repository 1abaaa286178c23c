// Main spins, in this process and in a process of its own for each execution: its stack is as new in both.
// heddle: check
// expect: verdict=clean complete=true executions=1
// heddle: check --rewind fork
// expect: verdict=clean complete=true executions=1
// What it sees in vain is no behaviour:
// traces: 1 enumerated
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *Store(void *arg) {
  atomic_store(&x, 1);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, Store, 0);
  while (!atomic_load(&x)) {
  }
  pthread_join(thread, 0);
  return 0;
}
