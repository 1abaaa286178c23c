// Loops that wait, and may end by themselves: for (i = 0; i < 100; ++i) if (TryTake()) return;
//
// *The last look.* If the rounds are proved to be one state but for their counter
// (loops/code/round_counters.h), and a round is one look at one object, then only the last look
// matters: what it finds decides whether the loop is left by it or because the rounds have run out,
// and looks before it have changed nothing. So at a place where such a loop waits (places.h), all
// rounds are made at once, as one step with one read, whose place in the schedule is that of the
// last look. Nothing is lost (docs/algorithms/spinning.md). Leaving the thread before that step
// costs nothing, since it may have gone round before; nor does going on.
//
// *Two ways out.* In other loops that are known to count, the thread waits, and either somebody
// changes what the loop reads; or its rounds run out. The second one is a timeout of the thread,
// which costs nothing. It then goes on without a scheduling point until it does something that was
// no part of the rounds. Its reads of these rounds are the same again, so only the first ones
// become events. Where the rounds are not proved to be one state, a thread waits so only after
// --idle-rounds rounds, and the search is not complete (spin.h).
//
// A loop that takes too long (`while (!stop) ++spins;`) is not followed to its end: the execution
// is cut short, or, if nobody else could go on, the loop goes round until the execution is too
// long.
#pragma once

#include <utility>

#include "runtime/fibers/fiber.h"

namespace heddle::runtime {

struct RunOut {
  SpinWindow* window = nullptr;  // of the loop; null: it polls, or makes its last look
  op::Operation look = {};       // the last look; its pc is 0: none
  uintptr_t gave_up = 0;         // the loop that looks there makes too many rounds
  uint64_t changes = 0;          // Fiber::changes when the last look began
  Recurrence* ends = nullptr;    // has it no end? In bump memory
  bool runs = false;
  bool yields = false;  // the last of the rounds yields
  uint32_t rounds = 0;  // since it began to run out
  uint32_t times = 0;   // in this execution
};

inline bool RunsOut(const Fiber& self) {
  return __builtin_expect(self.loops.run_out != nullptr, 0) && self.loops.run_out->runs;
}

// It has just run out, and yielded since it last looked: others go first, as they would have there.
inline bool RanOutYielding(Fiber& self) {
  return __builtin_expect(self.loops.run_out != nullptr, 0) &&
         std::exchange(self.loops.run_out->yields, false);
}

// `self` begins to wait; `window`: of its loop, null if it polls.
void WaitToRunOut(Fiber& self, SpinWindow* window);

// Somebody changed what it waits for.
inline void StopRunningOut(Fiber& self) { self.may_run_out = false; }

// Its time is up: it goes on until it does something else.
void BeginRunningOut(Fiber& self);

// `self` was let go before `look`, the last one of its loop: it goes on until it does something
// else.
void BeginLastLook(Fiber& self, const op::Operation& look);

// May the rounds of the loop that `self` is in at `look` be made at once? Not if there were too
// many of them in this execution.
bool FollowsRounds(const Fiber& self, const op::Operation& look);

// `self`, whose rounds run out, stands before `operation`. Returns true if that is part of a round.
bool StillRunsOut(Fiber& self, const op::Operation& operation);

}  // namespace heddle::runtime
