// Double-checked locking with two fields: the pointer is stored before the field that it guards, in the critical section, and readers look
// at the pointer only.
// Interleaving: the initialising thread has stored the pointer, and not the table's size; a reader uses a size of 0. There is one pair for each
// of four tables, made on demand by different threads.
// bug: preemptions=1 threads=4
// heddle: check
// expect: verdict=bug kind=assertion
// fixed: check
// expect: verdict=clean complete=true
#include <stdatomic.h>

#include "run_threads.h"

enum { kTables = 3, kThreads = 3 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int pointer[kTables], size[kTables];

static void Get(int table) {
  if (!pointer[table]) {
    pthread_mutex_lock(&mutex);
    if (!pointer[table]) {
#ifdef FIXED
      size[table] = 16;
      pointer[table] = 1;
#else
      pointer[table] = 1;
      size[table] = 16;
#endif
    }
    pthread_mutex_unlock(&mutex);
  }
  assert(size[table] == 16);
}

static void *Run(void *arg) {
  for (int i = 0; i < kTables; i++) Get((int)((i + (long)arg) % kTables));
  return 0;
}

int main() { RunSame(kThreads, Run); }
