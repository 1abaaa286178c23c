// "circular buffer": the sender's index and the flag are guarded, but the receiver reads a slot
// that is not yet sent.
// heddle: check
// expect: verdict=bug kind=assertion preemptions=1
#include "run_threads.h"

enum { kItems = 3 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int buffer[kItems], next_in, next_out, announced;

static void *Send(void *arg) {
  (void)arg;
  for (int i = 0; i < kItems; i++) {
    pthread_mutex_lock(&mutex);
    announced = 1;  // for all items, when only the first is there
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    buffer[next_in++] = i + 1;
    pthread_mutex_unlock(&mutex);
  }
  return 0;
}

static void *Receive(void *arg) {
  (void)arg;
  for (int i = 0; i < kItems; i++) {
    pthread_mutex_lock(&mutex);
    if (announced) assert(buffer[next_out++] == i + 1);
    pthread_mutex_unlock(&mutex);
  }
  return 0;
}

int main() { RunThreads(2, (Body[]){Send, Receive}); }
