// "stack": push and pop are atomic one by one, but the popper's check for emptiness and its pop
// are not.
// heddle: check
// expect: verdict=bug kind=assertion preemptions=1
// Graphs, by the order of the sections. Both look before the push: 2. One does: 2. None does: one pops before the other
// looks, 2; both look, in two orders, and pop in two: 4. 10 in all.
// traces: 10 enumerated --keep-going
#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int top;

static int Size() {
  pthread_mutex_lock(&mutex);
  int size = top;
  pthread_mutex_unlock(&mutex);
  return size;
}

static void *Push(void *arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  top++;
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void *Pop(void *arg) {
  (void)arg;
  if (Size() == 0) return 0;
  pthread_mutex_lock(&mutex);
  assert(top > 0);
  top--;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main() { RunThreads(3, (Body[]){Push, Pop, Pop}); }
