// What a thread has written lately, for loops/recurrence.h: is its loop back in the same state?
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/fibers/fiber.h"

namespace heddle::runtime {

inline bool IsOnOwnStack(const Fiber& self, uintptr_t address) {
  return address - reinterpret_cast<uintptr_t>(self.stack_begin) < self.stack_size;
}

// As if the thread had written more than can be looked at again.
void ForgetRecentWrites(Fiber& self);

// `self` is about to write: recurrence.h compares what is there at the next round of a loop.
// Its own stack is part of the state that is compared anyway.
inline void NoteWritten(Fiber& self, uintptr_t address, size_t size) {
  if (IsOnOwnStack(self, address)) return;
  if (__builtin_expect(size > kLongestWrite, 0)) return ForgetRecentWrites(self);
  self.windows.recent[self.written++ % kRecentWrites] = address | uint64_t{size}
                                                                      << kWriteAddressBits;
}

}  // namespace heddle::runtime
