// The states that an execution can pass through in any order of its independent steps: the prefixes
// of its happens-before graph (MSR-TR-2007-12, section 2), and what can be run from each.
//
// A prefix is how many steps of every thread are in it. Its hash is the sum of what its steps added
// to the hash of the graph. Who is enabled after it is not asked of the program: the operation that
// a thread stands before is that of its next step, or the one that it stood before at the end, and
// whether that can be made is read off the level of its object there (op/dependence.h).
//
// Where that is not known it is said so in the direction that loses nothing: `enabled` has no
// thread too many, because leaving an enabled thread costs, and `may` none too few, because a state
// is done with when all that may run from it was.
//
// Threads are members of a word: there are at most kMostThreads. Plain data (explorer.h).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "explore/order/step_graph.h"
#include "op/thread_set.h"
#include "trace/execution.h"

namespace heddle::explore {

using ThreadBits = uint64_t;
inline constexpr uint32_t kMostThreads = op::kThreadsPerWord;

// REQUIRES: not 0.
inline op::ThreadId LowestOf(ThreadBits threads) {
  return static_cast<op::ThreadId>(__builtin_ctzll(threads));
}

// Those below `count`, which is not 0.
inline ThreadBits AllBelow(uint32_t count) { return ~ThreadBits{0} >> (kMostThreads - count); }

struct Prefix {
  uint64_t hash = 0;
  uint32_t size = 0;                              // steps, the beginning not counted
  uint32_t threads = 0;                           // of the execution
  std::array<uint32_t, kMostThreads> steps = {};  // by thread
};

// The choice of threads by which step i came; null if it was the only one open.
inline const trace::Choice* ChoiceBefore(const trace::Execution& execution, StepIndex i) {
  const auto choices = execution.ChoicesOf(i);
  if (choices.empty() || choices.front().kind != trace::ChoiceKind::kThread) return nullptr;
  return choices.front().event == execution.steps[i].event ? &choices.front() : nullptr;
}

// The one that no step follows, because the execution was cut short there; null if there is none.
inline const trace::Choice* ChoiceAfterAll(const trace::Execution& execution) {
  const auto choices = execution.ChoicesOf(execution.steps.size() - 1);
  if (choices.empty() || choices.back().kind != trace::ChoiceKind::kThread) return nullptr;
  return choices.back().event == execution.events.size() ? &choices.back() : nullptr;
}

// Who can go on from a state.
struct Enabled {
  ThreadBits enabled = 0;   // for certain, so that to leave one that ran is a preemption
  ThreadBits may = 0;       // these, and those of which it is not known
  ThreadBits timeouts = 0;  // is not enabled, but has a time limit that may pass
  ThreadBits yields = 0;    // of `enabled`: about to yield
  ThreadBits in_vain = 0;   // is not enabled, but may look in vain once more, which is no step
  bool unknown = false;     // there may be others
};

class Prefixes {
 public:
  // Of an execution, from step Size() on. `only`: who alone could go on where it was cut short; or
  // nobody. After a stop request it leaves its work unfinished.
  void Extend(const trace::Execution& execution, const std::vector<Look>& looks,
              op::ThreadId only = op::kNoThread, StopToken stop_token = {});
  void Truncate(StepIndex size);
  StepIndex Size() const { return graph_.Size(); }
  const StepGraph& Graph() const { return graph_; }

  Prefix Whole() const;
  // The steps before step i, which is not the beginning.
  Prefix Before(StepIndex i) const;
  // The threads of which a step can be the last one of the prefix: F(s) of section 2.
  ThreadBits Frontier(const Prefix& prefix) const;
  StepIndex LastStepOf(const Prefix& prefix, op::ThreadId thread) const {
    return graph_.StepsOf(thread)[prefix.steps[thread] - 1];
  }
  // REQUIRES: the thread is in the frontier. And the way back.
  void RemoveLast(Prefix& prefix, op::ThreadId thread) const;
  void PutBack(Prefix& prefix, op::ThreadId thread) const;
  // Calls visit(step) for each step that can be the last one of the prefix, which is without it
  // meanwhile.
  template <typename Visit>
  void ForEachLast(Prefix& prefix, const Visit& visit) const {
    for (ThreadBits left = Frontier(prefix); left != 0; left &= left - 1) {
      const op::ThreadId thread = LowestOf(left);
      const StepIndex last = LastStepOf(prefix, thread);
      RemoveLast(prefix, thread);
      visit(last);
      PutBack(prefix, thread);
    }
  }
  // REQUIRES: nothing in the prefix ended the execution.
  Enabled EnabledAfter(const Prefix& prefix) const;
  // At least so many preemptions has every way to the prefix.
  uint32_t LeastPreemptions(const Prefix& prefix) const;

  // Who ran before the first choice of threads, and could have gone on; kNoThread.
  op::ThreadId Starter() const { return starter_; }
  // Of the options that step i took, out of how many.
  std::span<const uint32_t> OptionCountsOf(StepIndex i) const;
  // Its operation has a time limit, which may be what let it go on.
  bool MayBeTimeout(StepIndex i) const { return info_[i].timed || info_[i].gives_up; }

 private:
  struct StepInfo {
    uint64_t hash;
    uint32_t ordinal;  // among those of its thread
    uint32_t options;  // begin of its counts in `option_counts_`
    op::Kind kind;     // of its first operation
    bool timed;        // that has a time limit
    bool ready;        // nobody else had to let its thread go, since the thread's step before
    bool runs_on;      // it was enabled as soon as that was made
    bool waits;        // at its end its thread waits for a condition variable
    bool gives_up;     // it ends such a wait because its time is over
    uint32_t round;    // see RoundOf
  };
  static constexpr uint32_t kNoRound = 0xffffffffu;
  bool Holds(const Prefix& prefix, StepIndex i) const {
    const op::ThreadId thread = graph_.At(i).thread;
    return thread == op::kNoThread || info_[i].ordinal < prefix.steps[thread];
  }
  bool HoldsAll(const Prefix& prefix, Clock clock) const;
  void NoteEnd(const trace::Execution& execution, op::ThreadId only);
  uint32_t RoundOf(op::ThreadId thread, uint32_t made, const trace::Pending& next) const;
  // Of a loop in which a thread may wait; kIdle: it does, for all that is known.
  enum class Round : uint8_t { kNone, kIdle, kDisturbed };
  Round RoundAfter(const Prefix& prefix, op::ThreadId thread, uint32_t begin) const;
  StepInfo InfoOf(const trace::Execution& execution, StepIndex i) const;
  void AddNext(const Prefix& prefix, StepIndex i, Enabled& enabled) const;
  void AddPending(const Prefix& prefix, op::ThreadId thread, Enabled& enabled) const;
  struct Stands {
    op::ThreadId thread;
    op::Kind kind;
    bool timed;
    uint32_t await;  // trace::Step
    Round round;
  };
  template <typename ForEachObject>
  void AddOperation(const Prefix& prefix, const Stands& stands, ForEachObject for_each_object,
                    Enabled& enabled) const;

  StepGraph graph_;
  // By thread: the steps below this one may have others after them. (None from there on has.)
  std::array<StepIndex, kMostThreads> known_to_others_ = {};
  std::vector<StepInfo> info_;
  std::vector<uint32_t> option_counts_;
  std::vector<trace::Pending> pending_;   // by thread, at the end
  std::vector<uint32_t> pending_rounds_;  // likewise: RoundOf
  op::ThreadId starter_ = op::kNoThread;
  ThreadBits blocked_ = 0;    // at the end
  ThreadBits open_ = 0;       // likewise
  StepIndex last_ = kNoStep;  // the step that ended the execution for all
};

}  // namespace heddle::explore
