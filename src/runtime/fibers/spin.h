// Spin loops. A thread that came back to the same code with the same registers and the same stack, and in between
// changed nothing and read only locations that are still as they were, is in a loop that can do nothing but repeat
// until somebody writes one of them. So it waits for that write (await semantics): the loop's executions are finite, and
// nothing is lost, because the repetition is proved, not guessed. If nobody can write, it is a livelock.
//
// Cost: three comparisons per event. Registers and stack are hashed only when a thread repeats a read of one location
// at one place.
#pragma once

#include "runtime/fibers/fiber.h"

namespace heddle::runtime {

// `self` stands at its anchor again, and has written nothing since: decides whether it spins.
void BlockIfSpinning(Fiber& self);

// `self` stands before `operation`: is that its anchor, with nothing written since?
inline bool IsBackAtAnchor(const Fiber& self, const op::Operation& operation) {
  const SpinWindow& spin = self.spin;
  return spin.anchor == operation.pc && spin.writes == self.writes && spin.object == operation.object;
}

// `self` made an event that changes nothing (a read of `object`, or none: a yield).
inline void NoteSpinRead(Fiber& self, Object* object, const op::Operation& operation) {
  SpinWindow& spin = self.spin;
  if (spin.writes != self.writes || spin.anchor == 0 || spin.count > kSpinReads) {
    spin.writes = self.writes;
    spin.anchor = operation.pc;
    spin.object = operation.object;
    spin.state = 0;
    spin.count = 0;
  }
  if (object == nullptr) return;
  for (uint32_t i = 0; i < spin.count && i < kSpinReads; ++i)
    if (spin.reads[i] == object) return;  // the earlier version counts: a change since then ends the wait
  if (spin.count < kSpinReads) {
    spin.reads[spin.count] = object;
    spin.versions[spin.count] = object->version;
  }
  ++spin.count;
}

// `object`, which spinners wait for, was written.
void WakeSpinners(Object& object);

}  // namespace heddle::runtime
