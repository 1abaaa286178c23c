// Where every thread stands before its next operation, a search that goes by the program's states
// is asked whether the program was in this one before (plan/visited.h). Then the execution ends
// there.
//
// If it was in this very execution, that has gone round a cycle, which could be repeated for ever.
// A fair one is a livelock, as docs/algorithms/spinning.md has it (Joint cycles). One that keeps
// threads out may still be a part of one: two threads that each wait in a loop for what never comes
// are a cycle each, which keeps out the other. So the execution makes a *tour* before it ends: it
// lets those go on that were kept out, one after the other, as long as each leads back to the same
// state. What it does on the tour was explored, and is nothing to learn from.
//
// The other ways to wait in loops (spin.h, await.h, counted_wait.h, joint_cycle.h) are not needed:
// a loop that gets nowhere comes to a state that was visited.
//
// An execution that nobody is asked about, of a replay or while a finding is minimised, keeps its
// own states, and ends in the same way.
#pragma once

#include "op/thread_set.h"
#include "runtime/fibers/fiber.h"

namespace heddle::runtime {

// Before an execution.
void BeginVisiting();

// Every thread stands before its next operation, and somebody can go on. `self` ran last.
void VisitState(Fiber& self);

// On a tour: who goes on, of `options`.
op::ThreadId ThreadOfTour(op::ThreadSet options, op::ThreadId fallback);

// `fiber` makes step `step`, which begins.
void NoteStep(uint32_t step, const Fiber& fiber);

}  // namespace heddle::runtime
