// The state of the whole program where every thread stands before its next operation, as a key of
// 128 bits: from two moments with one key, of any two executions, the program goes on in the same
// ways, and whatever heddle checks finds the same there. docs/algorithms/states.md lists what is
// part of it, and why nothing else has to be.
//
// Part of it: the program's memory (memory/memory_hash.h), where each thread stands
// (frame_snapshot.h) and what is known of it, the objects beside the program's memory, what the
// world keeps for it (outside.h), and, while data races are looked for, what the race check
// remembers (check/known_accesses.h). Times are if the program has read a clock (visible.h,
// `state_has_clock`).
//
// program_state.h is the cheaper relative of this one: it holds within one execution only, and has
// no objects but locks and semaphores.
#pragma once

#include "base/transcript.h"
#include "plan/visited.h"
#include "runtime/fibers/fiber.h"

namespace heddle::runtime {

// False: it is not known, as there is something that is not part of it. `self` ran last, and runs
// this; it may have finished. May restart the execution.
// With `text`: what was hashed is written there.
bool DigestState(Fiber& self, plan::Key& key, base::Transcript* text = nullptr);

}  // namespace heddle::runtime
