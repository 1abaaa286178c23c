// Vector clocks for the synchronisation order: what one thread knows of every other (FastTrack,
// PLDI'09). Their storage is bump memory that is thrown away with the execution, so a clock costs
// nothing to reset. Thread-safety: none needed, one kernel thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "op/operation.h"
#include "trace/ticks.h"

namespace heddle::trace {

// Bump memory of one execution. `begin` is reserved once (address space only) and reused by every
// execution.
struct Bump {
  char* begin = nullptr;
  char* cursor = nullptr;
  char* end = nullptr;

  void Reset() { cursor = begin; }
  void* Take(size_t bytes) {
    bytes = (bytes + 15) & ~size_t{15};
    HEDDLE_CHECK(cursor + bytes <= end);
    char* result = cursor;
    cursor += bytes;
    return result;
  }
};

// ticks_[t] is the last tick of thread t that happens before; threads at or above size_ are at 0.
class Clock {
 public:
  uint32_t At(op::ThreadId thread) const { return thread < size_ ? ticks_[thread] : 0; }
  uint32_t Size() const { return size_; }
  bool Empty() const { return size_ == 0; }
  // Forgets the storage (a new execution begins, or the object is met for the first time in this
  // one).
  void Clear() { ticks_ = nullptr, size_ = 0, capacity_ = 0; }
  // Keeps the storage, knows nothing.
  void Zero() { size_ = 0; }

  void Set(op::ThreadId thread, uint32_t tick, Bump& bump) {
    Grow(thread + 1, bump);
    ticks_[thread] = tick;
  }
  // The same of a thread that it knows a tick of.
  void Advance(op::ThreadId thread, uint32_t tick) { ticks_[thread] = tick; }
  void Join(const Clock& other, Bump& bump) {
    if (other.size_ > size_) Grow(other.size_, bump);
    JoinTicks(ticks_, other.ticks_, other.size_);
  }
  void Assign(const Clock& other, Bump& bump) {
    size_ = 0;
    Grow(other.size_, bump);
    CopyTicks(ticks_, other.ticks_, other.size_);
  }
  // Everything in this clock happens before (or is) what `other` knows.
  bool LessOrEqual(const Clock& other) const {
    for (uint32_t i = 0; i < size_; ++i)
      if (ticks_[i] > other.At(i)) return false;
    return true;
  }

 private:
  void Grow(uint32_t size, Bump& bump) {
    if (size <= size_) return;
    if (size > capacity_) {
      uint32_t capacity = size < 8 ? 8 : size + size / 2;
      auto* ticks = static_cast<uint32_t*>(bump.Take(capacity * sizeof(uint32_t)));
      CopyTicks(ticks, ticks_, size_);
      ticks_ = ticks;
      capacity_ = capacity;
    }
    for (uint32_t i = size_; i < size; ++i) ticks_[i] = 0;
    size_ = size;
  }

  uint32_t* ticks_ = nullptr;
  uint32_t size_ = 0;
  uint32_t capacity_ = 0;
};

}  // namespace heddle::trace
