// A buffer pool with statistics that are counted without a lock: benign data races, which are meant. Behind them: a buffer that is given back is
// put into the pool before it is wiped.
// Interleaving: a second thread takes the buffer and writes its name into it; the first one wipes it.
// What must be found with --no-races is the failed assertion; without, the races come first.
// bug: preemptions=2 threads=4 search="--no-races"
// heddle: check --no-races
// expect: verdict=bug kind=assertion
// heddle: check --keep-going --executions 2000
// expect: verdict=bug kinds=data-race,assertion
// fixed: check --no-races
// expect: verdict=clean complete=true
#include <stdatomic.h>

#include "run_threads.h"

enum { kThreads = 3, kRounds = 2 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int free_buffers[2] = {0, 1}, free_count = 2;
static atomic_int owner[2];
static unsigned long gets, puts, most;  // racy on purpose

static int Get(void) {
  int buffer = -1;
  gets++;
  pthread_mutex_lock(&mutex);
  if (free_count > 0) buffer = free_buffers[--free_count];
  pthread_mutex_unlock(&mutex);
  if (gets - puts > most) most = gets - puts;
  return buffer;
}

static void Put(int buffer) {
  puts++;
#ifdef FIXED
  owner[buffer] = 0;
#endif
  pthread_mutex_lock(&mutex);
  free_buffers[free_count++] = buffer;
  pthread_mutex_unlock(&mutex);
#ifndef FIXED
  owner[buffer] = 0;
#endif
}

static void *Use(void *arg) {
  int self = (int)(long)arg + 1;
  for (int i = 0; i < kRounds; i++) {
    int buffer = Get();
    if (buffer < 0) continue;
    owner[buffer] = self;
    assert(owner[buffer] == self);
    Put(buffer);
  }
  return 0;
}

int main() { RunSame(kThreads, Use); }
