// A loop that waits keeps the value that it saw, and that grows by one each time: another thread counts, not the loop. So
// nothing is left out, and no remark says so.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check
// expect: verdict=clean complete=true warnings=0 weak_memory=true
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count, stop;

static void *Count(void *arg) {
  for (int i = 1; i <= 3; i++) atomic_store(&count, i);
  return arg;
}

static void *Watch(void *arg) {
  int value;
  while ((value = atomic_load(&count)) < 3)
    if (atomic_load(&stop)) break;
  return arg;
}

int main(void) {
  pthread_t counts, watches;
  pthread_create(&counts, 0, Count, 0);
  pthread_create(&watches, 0, Watch, 0);
  pthread_join(counts, 0);
  pthread_join(watches, 0);
  return 0;
}
