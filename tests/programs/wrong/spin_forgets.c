// What a round in vain has learnt is forgotten with it: a thread that looks only when 2 is there has
// not synchronised with the one that stored 1, and reads the data of that one without order.
// opt: -O2   compilers: gcc clang
// heddle: check
// expect: verdict=bug kind=data-race location=@read
// heddle: check --reduction source
// expect: verdict=bug kind=data-race location=@read
// heddle: check --reduction none
// expect: verdict=bug kind=data-race location=@read
// Graphs: each of the three waits for the one before it. 1.
// traces: 1 enumerated --keep-going
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int data;

static void *Publish(void *arg) {
  data = 7;
  atomic_store_explicit(&flag, 1, memory_order_release);
  return arg;
}

static void *Second(void *arg) {
  while (atomic_load_explicit(&flag, memory_order_relaxed) != 1) {
  }
  atomic_store_explicit(&flag, 2, memory_order_relaxed);
  return arg;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, Publish, NULL);
  pthread_create(&threads[1], NULL, Second, NULL);
  while (atomic_load_explicit(&flag, memory_order_acquire) != 2) {
  }
  const int found = data;  // @read
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return found == 7 ? 0 : 1;
}
