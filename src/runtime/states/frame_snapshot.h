// Where a thread stands before its next operation: its registers, as the program's frame that makes
// the operation will find them again, and the part of its stack from that frame up. What lies below
// are heddle's own frames, which say nothing about the program but how it came there.
//
// To find them is to unwind the thread's own stack, which takes microseconds. So it is done where
// states are taken from then on; of threads that stood there before, when the first state is taken:
// each is switched to, looks, and switches back.
#pragma once

#include <cstdint>
#include <iterator>

#include "runtime/fibers/fiber.h"
#include "runtime/prim/kept_registers.h"

namespace heddle::runtime {

struct FrameSnapshot {
  uint64_t execution = 0;  // g_execution in which it was found
  bool known = false;
  uint64_t registers[std::size(kKeptRegisters)] = {};
  uintptr_t stack = 0;  // its begin; the end is that of the thread's stack
  uint32_t loop = 0;    // loop_progress.h; no part of the state
};
inline constexpr uint32_t kFrameSnapshots = 64;  // threads beyond these are not looked at

// Of a thread that stands before `pending`. REQUIRES: fiber.id < kFrameSnapshots.
FrameSnapshot& FrameSnapshotOf(const Fiber& fiber);

// `self`, which runs, is about to make its pending operation: finds where it stands.
void FindStanding(const Fiber& self);
// It stands elsewhere now, and has not been looked at.
inline void ForgetStanding(const Fiber& self) {
  if (self.id < kFrameSnapshots) FrameSnapshotOf(self).known = false;
}
// The same of all threads that stand and have not been looked at.
void FindAllStandings(Fiber& self);

// What heddle leaves behind on the stack below its caller's frame depends on what it did there: it
// looks where a thread stands in one execution, and in another one, on the same way, it does not.
// A frame of the program's that takes that place later, and has variables that are not initialised,
// would have that as part of its state. So it is cleared.
void ClearDeadStack();

// `self` was switched to: for FindAllStandings, perhaps, and goes back then.
void LookIfAsked(Fiber& self);

}  // namespace heddle::runtime
