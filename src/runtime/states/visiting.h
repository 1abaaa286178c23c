// Where every thread stands before its next operation, a search that goes by the program's states
// is asked whether the program was in this one before (plan/visited.h). Then the execution ends
// there.
//
// If it was in this very execution, that has gone round a cycle, which could be repeated for ever.
// A fair one is a livelock, as docs/algorithms/spinning.md has it (Joint cycles). One that keeps
// threads out may still be a part of one, and so may the ways of several executions: the search
// puts these together (explore/visited/livelocks.h), and has a plan go round.
//
// The other ways to wait in loops (spin.h, await.h, run_out.h, joint_cycle.h) are not needed:
// a loop that gets nowhere comes to a state that was visited.
//
// An execution that nobody is asked about, of a replay or while a finding is minimised, keeps its
// own states, and ends in the same way; but where its plan goes on behind such a state, so does it.
#pragma once

#include "plan/plan.h"
#include "runtime/fibers/fiber.h"

namespace heddle::runtime {

// Before an execution.
void BeginVisiting();

// An execution goes on in the middle, where it has come through some of its states before
// (checkpoint.h): as of FollowRestOfPlan. The moment there is still to be visited.
void GoOnVisiting();
// Is nobody to be asked, although the search goes by states? Then all states of the execution are
// to be seen, from its beginning on.
bool KeepsOwnStates(const plan::Plan& plan);

// Every thread stands before its next operation, and somebody can go on. `self` ran last.
void VisitState(Fiber& self);

// `fiber` makes step `step`, which begins.
void NoteStep(uint32_t step, const Fiber& fiber);

}  // namespace heddle::runtime
