// The threads that wait on one object, first come first served unless a choice says otherwise. A
// thread is in at most one queue, and never finishes while it is in one.
#pragma once

#include "runtime/objects/object.h"

namespace heddle::runtime {

inline void Append(WaiterQueue& queue, Waiter& waiter) {
  waiter.next = nullptr;
  if (queue.last == nullptr)
    queue.first = &waiter;
  else
    queue.last->next = &waiter;
  queue.last = &waiter;
  ++queue.count;
}

// Keeps the queue in the order of the waiters' paths: whatever order they came in, it is the same.
inline void InsertByPath(WaiterQueue& queue, Waiter& waiter) {
  Waiter* previous = nullptr;
  Waiter* next = queue.first;
  while (next != nullptr && next->path < waiter.path) {
    previous = next;
    next = next->next;
  }
  if (next == nullptr) return Append(queue, waiter);
  waiter.next = next;
  (previous == nullptr ? queue.first : previous->next) = &waiter;
  ++queue.count;
}

// Takes out the waiter behind `previous`, or the first if that is null.
inline Waiter& TakeAfter(WaiterQueue& queue, Waiter* previous) {
  Waiter*& link = previous == nullptr ? queue.first : previous->next;
  Waiter& taken = *link;
  link = taken.next;
  if (queue.last == &taken) queue.last = previous;
  taken.next = nullptr;
  --queue.count;
  return taken;
}

// REQUIRES: index < queue.count.
inline Waiter& TakeAt(WaiterQueue& queue, uint32_t index) {
  Waiter* previous = nullptr;
  for (Waiter* waiter = queue.first; index != 0; --index, waiter = waiter->next) previous = waiter;
  return TakeAfter(queue, previous);
}

// REQUIRES: `waiter` is in the queue.
inline void Remove(WaiterQueue& queue, const Waiter& waiter) {
  Waiter* previous = nullptr;
  for (Waiter* at = queue.first; at != &waiter; at = at->next) previous = at;
  TakeAfter(queue, previous);
}

}  // namespace heddle::runtime
