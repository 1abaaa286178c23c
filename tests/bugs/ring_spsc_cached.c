// A ring for one producer and one consumer, in which the producer keeps a copy of the consumer's index, to read it seldom.
// It refreshes the copy when the ring seems full, but goes on with the old comparison: one item too many.
// Interleaving: the consumer takes one item when the producer thinks the ring is full, and the producer, who takes "it has moved"
// for "there is room for two", writes over what was not consumed.
// It shows only in the second burst, after a set-up of several hundred items that pass through the ring one by one.
// bug: preemptions=1 threads=3
// heddle: check --order context-bounded
// expect: verdict=bug kind=assertion preemptions=1
// fixed: check --order random --executions 200
// expect: verdict=incomplete bugs=0
#include <stdatomic.h>

#include "run_threads.h"

enum { kSize = 4, kWarmUp = 300, kItems = 8 };

static atomic_uint head, tail;
static atomic_int slots[kSize];

static int Get(int *item) {
  unsigned h = head;
  if (h == tail) return 0;
  *item = slots[h % kSize];
  head = h + 1;
  return 1;
}

static unsigned copy_of_head;

static void Put(int item) {
  unsigned t = tail;
  slots[t % kSize] = item;
  tail = t + 1;
}

static int Room(void) {
  unsigned room = kSize - (tail - copy_of_head);
  if (room == 0) {
    unsigned now = head;
#ifdef FIXED
    room = now - copy_of_head;
#else
    room = now == copy_of_head ? 0 : 2;
#endif
    copy_of_head = now;
  }
  return room > 2 ? 2 : (int)room;
}

static void *Produce(void *arg) {
  for (int i = 0; i < kItems;)
    for (int room = Room(); room > 0 && i < kItems; room--) Put(i++);
  return arg;
}

static void *Consume(void *arg) {
  for (int expected = 0, item; expected < kItems;)
    if (Get(&item)) assert(item == expected++);
  return arg;
}

int main() {
  for (int i = 0, item; i < kWarmUp; i++) {
    Put(i);
    Get(&item);
  }
  copy_of_head = head;
  RunThreads(2, (Body[]){Produce, Consume});
}
