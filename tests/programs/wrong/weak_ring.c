// A ring of one producer and one consumer, whose tail is relaxed: the consumer reads a slot that it does not know to
// be written. FIXED: release.
// Graphs of two puts and two attempts to take: the attempts see a tail of 0, 1 or 2, the second no older one: 6. The
// second put sees a head of 0 or, where an item was taken that was the newest then (tails 0 1, 1 1, 1 2), of 1: 3 more.
// heddle: check --memory-model c11
// expect: verdict=bug kind=data-race location=@put location=@take
// fixed: check --memory-model c11
// expect: verdict=clean executions=9 complete=true
// fixed: check --memory-model tso
// expect: verdict=clean executions=9 complete=true
// fixed: check --memory-model sc --reduction reads-from
// expect: verdict=clean executions=9 complete=true
#include <stdatomic.h>

#include "run_threads.h"

#ifdef FIXED
enum { kPublish = memory_order_release };
#else
enum { kPublish = memory_order_relaxed };
#endif
enum { kSlots = 2 };

static int slots[kSlots];
static atomic_int head, tail;

static void Put(int value) {
  const int at = atomic_load_explicit(&tail, memory_order_relaxed);
  if (at - atomic_load_explicit(&head, memory_order_acquire) == kSlots) return;
  slots[at % kSlots] = value;  // @put
  atomic_store_explicit(&tail, at + 1, kPublish);
}

static int Take(void) {
  const int at = atomic_load_explicit(&head, memory_order_relaxed);
  if (at == atomic_load_explicit(&tail, memory_order_acquire)) return 0;
  const int value = slots[at % kSlots];  // @take
  atomic_store_explicit(&head, at + 1, memory_order_release);
  return value;
}

static void* Produce(void* unused) {
  Put(1);
  Put(2);
  return unused;
}

static void* Consume(void* unused) {
  const int first = Take();
  const int second = Take();
  assert(first == 0 ? second <= 1 : first == 1 && (second == 0 || second == 2));
  return unused;
}

int main(void) { RunThreads(2, (Body[]){Produce, Consume}); }
