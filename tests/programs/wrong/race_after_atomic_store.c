// A plain read of what another thread stores atomically, and releases: both places are told, though
// the store's event comes after its release. Two of them are two bugs.
// heddle: check --keep-going
// expect: verdict=bug bugs=2 kinds=data-race threads=2
// expect: kind=data-race location=@store_flag location=@read_flag
// expect: kind=data-race location=@store_other location=@read_other
// compilers: gcc clang   opt: -O0 -O2
// Graphs: each read, a scheduling point once it has raced, before or after its store, 4: no choice excludes another.
// traces: 4 enumerated --keep-going
#include "run_threads.h"

static volatile int flag, other;

static void *Store(void *arg) {
  __atomic_store_n(&flag, 1, __ATOMIC_SEQ_CST);   // @store_flag
  __atomic_store_n(&other, 1, __ATOMIC_SEQ_CST);  // @store_other
  return arg;
}

int main() {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_t thread;
  pthread_create(&thread, 0, Store, 0);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  int seen = flag;  // @read_flag
  seen += other;    // @read_other
  pthread_join(thread, 0);
  return seen > 5;
}
