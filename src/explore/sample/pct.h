// Probabilistic concurrency testing: every thread has a priority, the highest goes on, and at a few
// places the thread that goes on falls behind all others.
//
// Source: Burckhardt, Kothari, Musuvathi, Nagarakatte, "A randomized scheduler with probabilistic
// guarantees of finding bugs", ASPLOS'10: the algorithm and its main theorem. A bug has depth d if
// d ordering constraints between steps are enough to show it. n threads get priorities in a random
// order, all above those of the change points: d-1 numbers drawn among the k steps, of which the
// i-th takes its thread down to priority i.
//
// The guarantee (that theorem): an execution shows a bug of depth d with probability at least
// 1 / (n k^(d-1)).
//
// Our differences:
//   * k counts the choices of threads only. Where one thread can go on, a lower priority changes
//     nothing: it makes the step. So the change points that the proof needs, before a step that has
//     to come after another thread's, are at choices, and k is smaller.
//   * k is not known before: it is the most that an execution had so far. Until the longest has
//     been seen the bound holds with the k of the executions that were drawn from.
//   * Threads that wait by yielding or by time limits (course.h) fall behind all others at a toss,
//     from the fifth such step on. The guarantee is that of schedules without such a fifth step.
//   * Values, waiters and the like are drawn uniformly, and count as given in the guarantee.
//
// Invariant: no two threads have the same priority (but for the chance of 2^-63 among the first
// ones); those from the beginning are above those of change points, and these above those of
// threads that wait.
#pragma once

#include "explore/sample/course.h"

namespace heddle::explore {

struct PctState : Course {
  // --- of the execution that runs ---
  PerThread<uint64_t> priorities;       // 0: the thread has not been seen
  std::vector<uint32_t> change_points;  // numbers of choices, from 1, in no order
  uint32_t choices = 0;                 // so far
  uint32_t fallen_behind = 0;           // threads, while they waited

  void Prepare(const explore::Options& options);
  void BeginExecution();
  op::ThreadId Choose(const plan::SchedulerView& view);
  void Learn(const trace::Execution&) {}

 private:
  op::ThreadId Highest(const op::ThreadSet& open);
};

class Pct final : public SamplingWalk<PctState> {
 public:
  using SamplingWalk::SamplingWalk;
};

}  // namespace heddle::explore
