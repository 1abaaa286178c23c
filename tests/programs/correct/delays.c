// Two threads of two steps, ab and cd. The scheduler that heddle's default follows keeps to a thread as long as it can, and takes
// the next in turn when it cannot; each thread that it is made to pass over is a delay. abcd has none; c first is one, and so is
// each later switch away from a thread that can go on:
//   abcd 0   acdb 1   cdab 1   acbd 2   cabd 2   cadb 3
// heddle: check --bound delays=0
// expect: verdict=clean complete=true executions=1 guarantee~"without a delay explored"
// heddle: check --bound delays=1
// expect: verdict=clean complete=true executions=3 guarantee~"at most 1 delay explored"
// heddle: check --bound delays=2 --order depth-first
// expect: verdict=clean complete=true executions=5 guarantee~"any bug left needs at least 3 delays"
// heddle: check --bound delays=3
// expect: verdict=clean complete=true executions=6 guarantee~"every schedule explored"
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *two(void *arg) {
  atomic_fetch_add(&x, 1);
  atomic_fetch_add(&x, 1);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, two, NULL);
  pthread_create(&b, NULL, two, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
