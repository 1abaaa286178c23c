// Does a thread make progress in a cycle (cycle.h)? It does if the loop that it comes round in is
// one that it was written to stay in for ever:
//
//   for (;;) {
//     lock();     // waits, as long as it must, in a loop that it leaves
//     work();
//     unlock();
//   }
//
// Of each place of a thread the outermost loop around it that can be left is looked for, in
// whichever of its functions (loops/code/loop_to_leave.h). If in the cycle there is none at some
// place (kEndlessLoop), or not the same one at two, the thread has come round in an endless loop.
// If it stays in one that it could leave, that is no progress. (SPIN marks progress by labels that
// the user writes: G. J. Holzmann, "The Spin Model Checker", 2003, non-progress cycles.) Nor is it
// if a thread changes nothing in the cycle, or tries to get hold of something and never does.
//
// What code cannot be read, and what was not built with heddle-cc, counts as a loop that is not
// left. So no thread is said to make progress unless its code says so.
#pragma once

#include <cstdint>

#include "plan/made_step.h"
#include "runtime/fibers/fiber.h"

namespace heddle::runtime {

inline constexpr uint32_t kEndlessLoop = plan::MadeStep::kEndlessLoop;
inline constexpr uint32_t kUnknownLoop = plan::MadeStep::kUnknownLoop;
inline constexpr uint32_t kNotLookedAt = plan::MadeStep::kNotLookedAt;

// A hash of the loop in which `self`, which runs, stands before its pending operation.
uint32_t LoopOf(const Fiber& self);

// What code of a library the loop calls, in which `self` stands before its pending operation, as
// CallOutsideOfLoop answers (loops/code/calls_of_round.h).
const char* CallOutsideLoop(const Fiber& self);

// The same, where `here` is already known: the answer for the function of the pending operation
// alone. Only if that function has no loop (`here` is kNoLoop) are its callers looked at. `state`:
// a hash of at least the stack; what is found is kept under it.
const char* CallOutsideLoop(const Fiber& self, const char* here, uint64_t state);

}  // namespace heddle::runtime
