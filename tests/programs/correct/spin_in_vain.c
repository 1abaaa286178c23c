// Looking in vain is no behaviour: a thread that waits for the last of four values has one way to
// do so, wherever and how often it looked before. (1,093 executions when its rounds were steps.)
// opt: -O2   compilers: gcc clang
// traces: 1 enumerated
// heddle: check --reduction source
// expect: verdict=clean complete=true executions=1 redundant=0
// heddle: check --reduction dpor
// expect: verdict=clean complete=true executions=1 redundant=0
// heddle: check --reduction optimal --points all
// expect: verdict=clean complete=true executions=1 redundant=0
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *Count(void *arg) {
  for (int i = 1; i <= 4; i++) atomic_store(&flag, i);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, Count, NULL);
  while (atomic_load(&flag) != 4) {
  }
  pthread_join(thread, NULL);
}
