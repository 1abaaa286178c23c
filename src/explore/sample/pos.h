// Partial order sampling: every operation that a thread stands before has a random priority, the
// highest is made, and those that race with it get new ones.
//
// Source: Yuan, Yang, Gu, "Partial order aware concurrency sampling", CAV'18. Priorities that stay
// would make the order of one race say much about the order of the next one: of two operations the
// one that has just lost is likely to have a low priority. Drawing anew for what raced with the
// last operation, and only for that, takes the dependence out where it matters, and leaves the
// order of what is independent, which makes no difference, to one draw.
//
// The guarantee: every happens-before graph can be drawn at every execution. One of |E| events, of
// P threads, has at least the probability (1/P)^|E| that a toss at every choice gives it, times a
// factor that is not below 1 and grows exponentially with the number of events that race with
// nothing (the paper's theorem on POS).
//
// Our differences: operations race if they are to access the same memory or object, and could do
// different things in the two orders, going by what they do when they succeed (op.def). Threads
// that wait by yielding or by time limits give way at a toss, from the fifth time on (course.h).
//
// Invariant: the priority of an operation that no other one has raced with was drawn once.
#pragma once

#include "explore/sample/course.h"

namespace heddle::explore {

struct PosState : Course {
  // --- of the execution that runs ---
  PerThread<uint64_t> priorities;  // of what the thread stands before; 0: to be drawn

  void Prepare(const explore::Options& options);
  void BeginExecution();
  op::ThreadId Choose(const plan::SchedulerView& view) { return TakeHighest(view, Options(view)); }
  void Learn(const trace::Execution&) {}

 protected:
  // The thread of the highest priority among `among`, a subset of those open. It makes its step.
  op::ThreadId TakeHighest(const plan::SchedulerView& view, const op::ThreadSet& among);
  // This one makes its step, whatever its priority.
  op::ThreadId Take(const plan::SchedulerView& view, op::ThreadId thread);
};

class Pos final : public SamplingWalk<PosState> {
 public:
  using SamplingWalk::SamplingWalk;
};

}  // namespace heddle::explore
