// The threads that wait on one object, first come first served unless a choice says otherwise.
// A thread is in at most one queue (Fiber::next_waiter links it), and never finishes while it is in
// one.
#pragma once

#include "runtime/fibers/fiber.h"
#include "runtime/objects/object.h"

namespace heddle::runtime {

inline void Append(WaiterQueue& queue, Fiber& fiber) {
  fiber.next_waiter = nullptr;
  if (queue.last == nullptr)
    queue.first = &fiber;
  else
    queue.last->next_waiter = &fiber;
  queue.last = &fiber;
  ++queue.count;
}

// Takes out the waiter behind `previous`, or the first if that is null.
inline Fiber& TakeAfter(WaiterQueue& queue, Fiber* previous) {
  Fiber*& link = previous == nullptr ? queue.first : previous->next_waiter;
  Fiber& taken = *link;
  link = taken.next_waiter;
  if (queue.last == &taken) queue.last = previous;
  taken.next_waiter = nullptr;
  --queue.count;
  return taken;
}

// REQUIRES: index < queue.count.
inline Fiber& TakeAt(WaiterQueue& queue, uint32_t index) {
  Fiber* previous = nullptr;
  for (Fiber* fiber = queue.first; index != 0; --index, fiber = fiber->next_waiter)
    previous = fiber;
  return TakeAfter(queue, previous);
}

// REQUIRES: `fiber` is in the queue.
inline void Remove(WaiterQueue& queue, Fiber& fiber) {
  Fiber* previous = nullptr;
  for (Fiber* at = queue.first; at != &fiber; at = at->next_waiter) previous = at;
  TakeAfter(queue, previous);
}

}  // namespace heddle::runtime
