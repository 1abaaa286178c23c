// A message of two words behind a relaxed flag, of which neither arrives: that takes two loads of old values (stale accesses). With
// store buffering besides (1) one of the two threads' loads has to be stale.
// FIXED: release and acquire.
// Graphs: the flag is read as 0, or as 1 and each word as 0 or 1: 1 + 4. A word that is read as 0 is stale, as its store came before
// that of the flag: 2 graphs without any, 4 with one at most. Of store buffering 3 and 4.
// heddle: check --memory-model c11 --keep-going
// expect: verdict=bug kind=assertion bugs=1 executions=5 completed_bound=-1 location=@neither
// heddle: check --memory-model c11 --bound stale=0
// expect: verdict=clean complete=true executions=2 completed_bound=0
// expect: guarantee~"every sequentially consistent execution explored (2 executions); any bug left needs at least 1 stale access"
// heddle: check --memory-model c11 --bound stale=1
// expect: verdict=clean complete=true executions=4 completed_bound=1
// expect: guarantee~"under C11's memory model with at most 1 stale access explored (4 executions); any bug left needs at least 2 stale accesses"
// heddle: check --memory-model c11 --bound stale=2 --keep-going
// expect: verdict=bug kind=assertion bugs=1 executions=5 location=@neither
// heddle: check --memory-model c11 --bound stale=1 --reduction none
// expect: verdict=clean complete=true happens_before=4 completed_bound=1
// heddle: check --memory-model c11 --bound stale=2 --reduction none --keep-going
// expect: verdict=bug kind=assertion bugs=1 happens_before=5
// heddle: check --memory-model c11 --bound stale=1 --order random --executions 500
// expect: verdict=incomplete complete=false executions=500
// heddle: check --memory-model c11 --bound stale=2 --order random --executions 500
// expect: verdict=bug kind=assertion location=@neither
// heddle: check --memory-model tso --bound stale=1
// expect: verdict=clean complete=true executions=2 guarantee~"every execution under total store order explored (2 executions)"
// heddle: check --memory-model tso --bound stale=0 -- 1
// expect: verdict=clean complete=true executions=3 completed_bound=0
// heddle: check --memory-model tso --bound stale=1 --keep-going -- 1
// expect: verdict=bug kind=assertion bugs=1 executions=4 location=@buffered
// fixed: check --memory-model c11 --bound stale=1
// expect: verdict=clean complete=true executions=2 guarantee~"every execution under C11's memory model explored (2 executions)"
#include <stdatomic.h>

#include "run_threads.h"

#ifdef FIXED
enum { kPublish = memory_order_release, kLook = memory_order_acquire };
#else
enum { kPublish = memory_order_relaxed, kLook = memory_order_relaxed };
#endif

static atomic_int words[2], flag;
static int saw[2];

static void* Send(void* unused) {
  atomic_store_explicit(&words[0], 1, memory_order_relaxed);
  atomic_store_explicit(&words[1], 1, memory_order_relaxed);
  atomic_store_explicit(&flag, 1, kPublish);
  return unused;
}

static void* Receive(void* unused) {
  if (atomic_load_explicit(&flag, kLook) == 0) return unused;
  const int first = atomic_load_explicit(&words[0], memory_order_relaxed);
  assert(atomic_load_explicit(&words[1], memory_order_relaxed) + first > 0);  // @neither
  return unused;
}

static void* Meet(void* arg) {
  const int me = (int)(long)arg;
  atomic_store_explicit(&words[me], 1, memory_order_relaxed);
  saw[me] = atomic_load_explicit(&words[1 - me], memory_order_relaxed);
  return 0;
}

int main(int argc, char** argv) {
  (void)argv;
  if (argc == 1) {
    RunThreads(2, (Body[]){Send, Receive});
    return 0;
  }
  RunSame(2, Meet);
  assert(saw[0] || saw[1]);  // @buffered
}
