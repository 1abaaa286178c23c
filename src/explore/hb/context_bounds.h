// The context bounds of steps: CB(s, t), the least number of preemptions and early timeouts of all
// executions that end with the step of thread t from state s.
//
// Source: MSR-TR-2007-12, sections 2 and 3.2: the recursion over the predecessors of s, by dynamic
// programming with what was computed kept in the table of states. With a' = CB(s-t', t'), the cost
// of arriving at s by t',
//
//   CB(s, t) = min over t' in F(s) of a' + (0 if t' = t or t' is not enabled in s, else 1)
//
// so it is one number, or one less for a few threads: a StateEntry's `most` and `less`.
//
// Our differences:
//   * A time limit that passes early costs one as well, and never two with a preemption.
//   * At a yield the turn may be passed to the next thread in turn, or kept, for nothing. How often
//     it was kept is no part of a state, so that never costs here: a bound may be lower than what
//     heddle counts, never higher.
//   * Only what is within the bound is computed: a prefix with more threads in the middle of
//     something than the bound allows is not looked at (Prefixes::LeastPreemptions).
#pragma once

#include <cstdint>
#include <vector>

#include "explore/hb/prefixes.h"
#include "explore/hb/state_table.h"
#include "explore/stop_token.h"

namespace heddle::explore {

class ContextBounds {
 public:
  // Higher bounds are not computed: nobody explores with one.
  static constexpr uint32_t kMostBound = 250;

  // Of the states of one execution. When the table has `most_states`, or there is no more time, it
  // gives up: from there on its answers are anything.
  ContextBounds(StateTable& table, const Prefixes& prefixes, uint32_t bound, StopToken stop_token,
                uint64_t most_states = ~uint64_t{0})
      : table_(table),
        prefixes_(prefixes),
        bound_(bound),
        stop_token_(stop_token),
        most_states_(most_states) {}
  bool GaveUp() const { return table_.Size() >= most_states_ || stop_token_.IsRequested(); }

  // CB(s, t) for one state: at most kMostBound, or anything above the bound.
  struct Bounds {
    uint32_t most;
    ThreadBits less;  // threads that cost one less

    uint32_t Of(op::ThreadId thread) const { return most - (less >> thread & 1); }
    // Of the state itself: CB(s).
    uint32_t OfState() const { return most - (less != 0 ? 1 : 0); }
  };
  Bounds Of(const Prefix& prefix);
  // The cost of a step that the thread makes from a state with these bounds.
  static uint32_t CostOf(const Bounds& bounds, const Enabled& enabled, op::ThreadId thread);
  // Of going on with `next` in a state to which `last` made the last step.
  static uint32_t PriceOf(const Enabled& enabled, op::ThreadId last, op::ThreadId next);
  // The entry's, as far as they are known for `bound`.
  static bool Knows(const StateEntry& entry, uint32_t bound);

 private:
  struct Arrival {
    op::ThreadId thread;
    uint32_t cost;
  };
  struct Frame {
    ThreadBits left;  // of the frontier
    op::ThreadId by;  // the thread of which the last step was taken off to get here
    std::vector<Arrival> arrivals;
  };

  bool IsKnown(const Prefix& prefix, Bounds* bounds) const;
  Bounds AtBeginning(const Prefix& prefix) const;
  void Push(const Prefix& prefix, op::ThreadId by);
  void Arrive(Prefix& prefix, op::ThreadId thread, const Bounds& before);
  Bounds Finish(const Prefix& prefix, const Frame& frame);

  StateTable& table_;
  const Prefixes& prefixes_;
  const uint32_t bound_;
  const StopToken stop_token_;
  const uint64_t most_states_;
  std::vector<Frame> frames_;
};

}  // namespace heddle::explore
