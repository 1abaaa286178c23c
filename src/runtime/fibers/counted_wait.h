// Loops that count while they wait: for (i = 0; i < 100; ++i) if (TryTake()) return; then block.
//
// Their rounds are never in the same state, but differ in at most four words of registers, stack
// and what they write, which step by the same amounts in every round; nothing else changes. Told
// apart are two ways out instead of one for each number of rounds: somebody changes what the loop
// reads; or the rounds run out. So the thread waits as if it had a time limit. When that is over it
// goes on without a scheduling point until it does something that was no part of the rounds. Its
// reads of these rounds are the same again, so only the first ones become events.
//
// This leaves out executions that differ in nothing but the number of rounds before somebody made
// the change. The report says so, since a program might look at the number.
//
// A loop that takes too long (`while (!stop) ++spins;`) has no such limit: the execution is cut
// short, or, if nobody else could go on, the loop goes round until the execution is too long.
#pragma once

#include <utility>

#include "runtime/fibers/recurrence.h"

namespace heddle::runtime {

inline constexpr uint32_t kCounters = 4;

struct CountedLoop {
  Frame frame;         // at the last visit of the anchor
  uintptr_t anchor;    // of which
  uint32_t visit;      // the how many-th
  uint64_t versions;   // of what the round read, at that visit; 0: it is not known
  uintptr_t heap = 0;  // end of its arena at that visit
  uint32_t steps = 0;  // rounds in a row in which the counters, and nothing else, stepped
  uint32_t counter_count = 0;
  struct {
    uint32_t word;
    uint64_t step;
  } counters[kCounters];
  uintptr_t endless = 0;  // the anchor of a loop that took too long in this execution
  bool waits = false;
  bool runs_out = false;
  uint32_t rounds = 0;  // of running out
  bool yields = false;  // the last of them yields
};

inline bool WaitsAndCounts(const Fiber& self) {
  return __builtin_expect(self.counted != nullptr, 0) && self.counted->waits;
}
inline bool RunsOut(const Fiber& self) {
  return __builtin_expect(self.counted != nullptr, 0) && self.counted->runs_out;
}

// It has just run out, and yielded since it last looked: others go first, as they would have there.
inline bool RanOutYielding(Fiber& self) {
  return __builtin_expect(self.counted != nullptr, 0) && std::exchange(self.counted->yields, false);
}

// Did the last round step as one of a loop that counts?
inline bool IsKnownToCount(const Fiber& self, const Recurrence& cycle) {
  return __builtin_expect(self.counted != nullptr, 0) && self.counted->steps != 0 &&
         self.counted->anchor == cycle.anchor && self.counted->visit == cycle.visits;
}

// `self` is at its anchor in the state `frame`. True: it is proved to count.
bool Counts(Fiber& self, const Frame& frame);

// Its time is up: it goes on until it does something else.
void BeginRunningOut(Fiber& self);

// `self`, whose rounds run out, stands before `operation`: is it part of a round?
bool StillRunsOut(Fiber& self, const op::Operation& operation);

}  // namespace heddle::runtime
