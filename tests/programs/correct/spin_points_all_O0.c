// C11 atomics in code that is not optimised, with plain accesses as scheduling points. The thread finds the flag set, or
// waits after two looks: 3 executions.
// opt: -O0
// heddle: check --points all
// expect: verdict=clean complete=true executions=3 happens_before=3
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *Wait(void *arg) {
  while (!x)
    ;
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, Wait, 0);
  x = 1;
  pthread_join(thread, 0);
  return 0;
}
