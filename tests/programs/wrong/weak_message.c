// A message whose flag is relaxed: C11 lets the receiver see the flag and not the message; x86 does not.
// FIXED: release and acquire.
// Graphs: the flag is read as 0, or as 1 and the message as 1; under C11 also the flag as 1 and the message as 0.
// heddle: check --memory-model c11 --keep-going
// expect: verdict=bug kind=assertion bugs=1 executions=3 location=@message
// expect: step~"stale: T1 has stored 1 at weak_message.c:29; nothing orders that store before this load"
// expect: stdout~"T2 loads message: 0, relaxed (weak_message.c:36), later in its thread" stdout~"x86 does not do this"
// expect: stdout~"forbidden by memory_order_release at weak_message.c:30 and memory_order_acquire at weak_message.c:35"
// expect: stdout~"atomic_thread_fence(memory_order_release) before weak_message.c:30 and"
// heddle: check --memory-model tso
// expect: verdict=clean executions=2 complete=true
// heddle: check --memory-model sc --reduction reads-from
// expect: verdict=clean executions=2 complete=true
// fixed: check --memory-model c11
// expect: verdict=clean executions=2 complete=true
#include <stdatomic.h>

#include "run_threads.h"

#ifdef FIXED
enum { kPublish = memory_order_release, kLook = memory_order_acquire };
#else
enum { kPublish = memory_order_relaxed, kLook = memory_order_relaxed };
#endif

static atomic_int message, flag;

static void* Send(void* unused) {
  atomic_store_explicit(&message, 1, memory_order_relaxed);
  atomic_store_explicit(&flag, 1, kPublish);
  return unused;
}

static void* Receive(void* unused) {
  if (atomic_load_explicit(&flag, kLook) == 1)
    assert(atomic_load_explicit(&message, memory_order_relaxed) == 1);  // @message
  return unused;
}

int main(void) { RunThreads(2, (Body[]){Send, Receive}); }
