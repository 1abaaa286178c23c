// Loops of several threads that only repeat themselves together: two that back off for each other
// and try again, or one that takes and gives back a lock for which another one never comes at the
// right moment. Each of them makes changes that another one sees, so spin.h finds nothing.
//
// When every thread stands before its next operation, that is a state of the whole program. If it
// is one of before on the way of this execution, what lies between is a cycle, which may go on for
// ever. Then
//
//   * a thread that could go on now, and did not in the cycle, goes on: the others wait until it
//     has. So does one that only waited in the cycle, and stands before a look that would find
//     something it has not found there. They were kept out by the schedule alone;
//   * if the cycle kept out nobody, it is a fair one, and a livelock;
//   * else the cycle is followed to where somebody was kept out.
//
// Nothing is lost: whatever else could be done in that state is explored where it came up first.
// docs/algorithms/spinning.md has the definitions and the argument.
//
// To take states is expensive. So they are taken in every execution only once such a cycle has been
// seen (visible.h: the search begins again). Until then they are looked for where they show if
// they are there: in executions that become long, and in a few others.
#pragma once

#include <cstdint>

#include "runtime/fibers/fiber.h"

namespace heddle::runtime {

// At take-over.
void InitJointCycles();

// Before an execution: from which event on states are taken (g_state.joint_from). `in_force`:
// cycles end, or are left; else the first one is only noticed.
void BeginJointCycles(bool in_force);

// Are states to be taken from the beginning of the next execution on?
bool JointCyclesAreDue();

// `self` stands before its pending operation.
void NoteStands(const Fiber& self);

// Every thread stands before its next operation. May end the execution, and make threads wait.
void LookForJointCycle();

// These threads go first, as those that are kept out of a cycle do (timed_rounds.h).
void LetThemGoFirst(uint64_t threads);

// Lets those go on that were made to wait. False: there are none.
bool WakeJointWaiters();

}  // namespace heddle::runtime
