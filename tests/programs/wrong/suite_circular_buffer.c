// "circular buffer": the sender's index and the flag are guarded, but the receiver reads a slot
// that is not yet sent.
// heddle: check
// expect: verdict=bug kind=assertion preemptions=1
// Graphs: section i of the receiver comes after g_i of the sender's 6, g_1 <= g_2 <= g_3. It passes if g_i = 0, or,
// where g_1 > 0, if g_i >= 2i, else it fails, and the sender waits for ever. g_1 > 0: it fails at once, 1; at the
// second, g_2 <= 3, 3; or is at the third: 3 * 3, 4 * 2 and 5 * 1 for g_2 = 4, 5, 6. g_1 = 0: the next with g_i > 0
// looks at the wrong slot: 6 and 6; or there is none, 1. In all 1 + 3 + 22 + 13 = 39.
// traces: 39 enumerated --keep-going
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
