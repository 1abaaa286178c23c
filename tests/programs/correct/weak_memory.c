// Whether what was found under sequential consistency holds under C11's memory model, too: if no two
// conflicting atomic accesses, one of them not seq_cst, are left unordered by C11's happens-before.
// 0: all seq_cst. 1: release and acquire; the load that comes too early is not ordered. 2: relaxed,
// but by a mutex. 3: the same with a lock attempt, which orders nothing when it fails. 4: relaxed,
// ordered by creation and join. 5: a compare-exchange that is relaxed when it fails. 6: a fence
// orders what comes after it, not the relaxed load before it.
// heddle: check -- 0
// expect: verdict=clean complete=true weak_memory=true weak_pairs=0 guarantee~"under C11's memory model too"
// heddle: check --memory-model sc -- 1
// expect: verdict=clean complete=true weak_memory=false weak_pair~store,load weak_pairs=1
// expect: stdout~"C11 allows these accesses to be reordered"
// heddle: check -- 1
// expect: verdict=clean complete=true weak_memory=true weak_pairs=1
// expect: guarantee~"every execution under C11's memory model explored (2 executions)"
// heddle: check -- 5
// expect: verdict=clean complete=true weak_memory=true weak_pair~exchange,exchange
// heddle: check -- 6
// expect: verdict=clean complete=true weak_memory=true weak_pair~release_store,fenced_load
// heddle: check --rewind fork -- 1
// expect: verdict=clean complete=true weak_memory=false weak_pair~store,load
// heddle: check -- 2
// expect: verdict=clean complete=true weak_memory=true
// heddle: check -- 3
// expect: verdict=clean complete=true weak_memory=false weak_pairs=0
// heddle: check -- 4
// expect: verdict=clean complete=true weak_memory=true
// heddle: check --memory-model sc -- 5
// expect: verdict=clean complete=true weak_memory=false weak_pair~exchange,exchange
// heddle: check --memory-model sc -- 6
// expect: verdict=clean complete=true weak_memory=false weak_pair~release_store,fenced_load
// heddle: check --executions 1 -- 0
// expect: weak_memory=false
// heddle: check --no-races -- 0
// expect: weak_memory=false
// compilers: gcc clang   opt: -O0
// Graphs: the store and the load, or the sections, or the two exchanges, of which one fails in any case, in two orders.
// With lock attempts either gets the lock first, and the other tries meanwhile or later: 4. 4: the threads do nothing,
// 1.
// traces: 2 enumerated -- 0
// traces: 2 enumerated -- 1
// traces: 2 enumerated -- 2
// traces: 4 enumerated -- 3
// traces: 1 enumerated -- 4
// traces: 2 enumerated -- 5
// traces: 2 enumerated -- 6
#include <stdatomic.h>
#include <stdlib.h>

#include "run_threads.h"

static atomic_int flag;
static int data;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int mode;

static void *Send(void *arg) {
  int zero = 0;
  switch (mode) {
    case 0:
      data = 41;
      atomic_store(&flag, 1);
      break;
    case 1:
      data = 42;
      atomic_store_explicit(&flag, 1, memory_order_release);  // @store
      break;
    case 2:
      pthread_mutex_lock(&mutex);
      atomic_store_explicit(&flag, 1, memory_order_relaxed);
      pthread_mutex_unlock(&mutex);
      break;
    case 3:
      if (pthread_mutex_trylock(&mutex) == 0) pthread_mutex_unlock(&mutex);
      break;
    case 5:
      zero = (int)(long)arg;
      atomic_compare_exchange_strong_explicit(&flag, &zero, 2, memory_order_seq_cst,  // @exchange
                                              memory_order_relaxed);
      break;
    case 6:
      data = 43;
      atomic_store_explicit(&flag, 1, memory_order_release);  // @release_store
      break;
  }
  return arg;
}

static void *Receive(void *arg) {
  switch (mode) {
    case 0:
      if (atomic_load(&flag)) assert(data == 41);
      break;
    case 1:
      if (atomic_load_explicit(&flag, memory_order_acquire)) assert(data == 42);  // @load
      break;
    case 2:
      pthread_mutex_lock(&mutex);
      (void)atomic_load_explicit(&flag, memory_order_relaxed);
      pthread_mutex_unlock(&mutex);
      break;
    case 3:
    case 5:
      return Send(arg);
    case 6: {
      int seen = atomic_load_explicit(&flag, memory_order_relaxed);  // @fenced_load
      atomic_thread_fence(memory_order_acquire);
      if (seen) assert(data == 43);
      break;
    }
  }
  return arg;
}

int main(int argc, char **argv) {
  mode = argc > 1 ? atoi(argv[1]) : 0;
  if (mode == 4) atomic_store_explicit(&flag, 1, memory_order_relaxed);
  RunThreads(2, (Body[]){Send, Receive});
  if (mode == 4) assert(atomic_load_explicit(&flag, memory_order_relaxed) == 1);
}
