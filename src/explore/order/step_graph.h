// The execution in flight as a partial order of steps: what depends on what, and which dependent
// steps could have come in the other order.
//
// Steps (trace::Step) are the transitions of the theory. Each has the accesses that it made, by the
// dependence table (op/dependence.h), and a vector clock over steps: Clock(i)[t] counts up to the
// last step of thread t that happens before step i, so that "j happens before i" is one comparison.
// Clocks follow program order, the order of accesses that do not commute, and releases (a thread
// that was created, joined, signalled). The steps before the point where the search went back are
// kept with their clocks, so what a step costs does not grow with the execution; going back undoes.
//
// Invariants: the accesses to one object form a chain in the order of the execution, cut into
// groups of neighbours that commute; a step happens after every access of the groups before its
// own. Plain data on heddle's heap (explorer.h). Finding races is races.cpp's.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

#include "explore/label.h"
#include "explore/order/vain.h"
#include "explore/stop_token.h"
#include "op/dependence.h"
#include "plan/plan.h"
#include "trace/execution.h"

namespace heddle::explore {

// A row of a step or thread: entry t is the number of the last step of thread t that is known, plus
// one; 0: none.
using Clock = std::span<const uint32_t>;

class StepGraph {
 public:
  struct AccessRecord {
    Touch touch;
    op::Kind kind;
    bool timed;          // made, if only to fail, at every level
    bool of_a_part;      // of a compare-exchange: of a part of the object only
    bool further;        // by the same operation as the access before it
    bool no_effect;      // it left its object as it was (op::kNoEffect)
    op::Level level;     // of the object, before
    op::Level expected;  // of a compare-exchange, folded; of a shared update: what it adds
    StepIndex step;
    uint32_t previous;     // access to the same object, index + 1; 0: none
    uint32_t group_first;  // index of the first access of its group

    // May others find its object as another one?
    bool Changes() const {
      const bool writes = touch.access == op::Access::kWrite || touch.access == op::Access::kShared;
      return writes && !no_effect;
    }
    // How it moved the level of its object, if it is a shared one.
    op::Level Change() const {
      if (no_effect) return 0;
      if (kind == op::Kind::kAtomicFetch) return expected;
      return static_cast<op::Level>(op::LevelChange(kind));
    }
  };
  struct Step {
    op::ThreadId thread;
    uint32_t accesses;     // made by the steps before
    uint32_t options;      // likewise
    bool fence;            // time passed: after all before it, and before all after
    uint32_t await;        // the state of a loop that it began in (trace::Step)
    bool inside = false;   // see IsInside
    uint8_t sections = 0;  // of its thread, at its end
    uint8_t focus = 0;     // trace::Step
  };
  // An operation that was blocked when time passed.
  struct Stalled {
    StepIndex step;  // the fence
    op::ThreadId thread;
    trace::Pending pending;
    uint32_t base;
  };
  // An operation for which earlier places are looked for: that of a step, or one that did not run.
  struct Attempt {
    op::ThreadId thread;
    op::Kind kind;
    bool timed;  // it has a time limit
    Touch touch;
    op::Level expected;
    std::span<const AccessRecord> all;  // those of the operation, if it has several, or of_a_part
    uint32_t operation;                 // its number among those of the step
    Clock base;          // what happens before it whatever the place: program order and releases
    StepIndex before;    // it stands before this step
    uint32_t await = 0;  // it is that of a loop that waits, in this state
  };
  // `thread` made a vain round: at this state of a loop, after this write of the object.
  struct KnownLook {
    StepIndex step;  // before which
    op::ThreadId thread;
    uint32_t await;
    uint32_t object;
    uint32_t write;  // access, index + 1; 0: none
  };
  // A release by which `thread` lost the possibility of a timeout.
  struct LostTimeout {
    StepIndex step;
    op::ThreadId thread;
    uint32_t base;
    uint32_t object;  // the condition variable that it writes; kUnknownObject: something else
  };
  static constexpr uint32_t kUnknownObject = 0xffffffffu;
  // Step j could have come after the attempt.
  struct Race {
    StepIndex j;
    uint32_t object;     // by which they are dependent
    uint32_t operation;  // the attempt's
    op::Access access;   // what the attempt's accesses would be before j
    bool tentative;      // only trying tells whether the attempt is enabled there
    bool after_write;    // the access of step j is a write
    bool whole_group;    // and so could all later accesses to the object
  };

  // Takes up the steps of `execution` from step Size() on. After a stop request, not all of them.
  void Extend(const trace::Execution& execution, const std::vector<Look>& looks = {},
              StopToken stop_token = {});
  // Forgets step `size` and all after it.
  void Truncate(StepIndex size);

  // From now on every dependent pair that only the two accesses order counts as a race: also if the
  // earlier step enabled the later one, and if another step lies between that has to be reversed
  // first.
  void FindAll() { finds_all_ = true; }

  // The last step ended the execution for all: nothing can be run after it.
  void MarkEnding() { ending_ = Size() - 1; }
  bool IsEnding(StepIndex i) const { return i == ending_; }
  // Is step i the operation that ends the program?
  bool EndsProgram(StepIndex i) const;
  // Has a thread nothing left to do after step i?
  bool FinishesThread(StepIndex i) const;
  // Is step i part of an atomic section, or is its thread done? Then it may be more than one
  // operation, and what it finds decides what else it does.
  bool IsInside(StepIndex i) const { return steps_[i].inside; }
  // Did its thread choose in it, so that with another option it may access other objects?
  bool IsOption(StepIndex i) const { return IsInside(i) && !OptionsOf(i).empty(); }
  // Will the step of `thread` that follows its last one before step `before` be inside?
  bool WillBeInside(op::ThreadId thread, StepIndex before) const {
    const auto& steps = steps_of_[thread];
    const auto next = std::ranges::lower_bound(steps, before);
    return next != steps.begin() && steps_[*(next - 1)].sections != 0;
  }

  StepIndex Size() const { return static_cast<StepIndex>(steps_.size()); }
  uint32_t Threads() const { return threads_; }
  const Step& At(StepIndex i) const { return steps_[i]; }
  std::span<const AccessRecord> AccessesOf(StepIndex i) const;
  std::span<const plan::ScriptOption> OptionsOf(StepIndex i) const;
  std::span<const LostTimeout> LostTimeouts() const { return lost_; }   // of the last Extend
  std::span<const Stalled> StalledThreads() const { return stalled_; }  // likewise

  Clock ClockOf(StepIndex i) const { return {clocks_.data() + size_t{i} * stride_, threads_}; }
  // Of the next step of `thread`, and of step i before it ran.
  Clock BaseOf(op::ThreadId t) const { return {bases_.data() + size_t{t} * stride_, threads_}; }
  Clock BaseBefore(StepIndex i) const { return {before_.data() + size_t{i} * stride_, threads_}; }
  Clock BaseOf(const LostTimeout& lost) const {
    return {lost_bases_.data() + size_t{lost.base} * stride_, threads_};
  }
  Clock BaseOf(const Stalled& stalled) const {
    return {stalled_bases_.data() + size_t{stalled.base} * stride_, threads_};
  }
  // Could step i be run before step j, which is an earlier one, as far as the order of both goes?
  bool IsFree(StepIndex i, StepIndex j) const { return i != ending_ && !HappensBefore(j, i); }
  bool HappensBefore(StepIndex j, StepIndex i) const { return ClockOf(i)[steps_[j].thread] > j; }
  bool HappensAfterAny(std::span<const StepIndex> steps, StepIndex i) const {
    return std::ranges::any_of(steps, [&](StepIndex j) { return HappensBefore(j, i); });
  }

  StepIndex LastStepOf(op::ThreadId thread) const {
    return steps_of_[thread].empty() ? kNoStep : steps_of_[thread].back();
  }
  // The first step of `thread` that is not below `from`; kNoStep.
  StepIndex FirstStepOf(op::ThreadId thread, StepIndex from) const;
  // Its steps from `from` on; all of them.
  std::span<const StepIndex> StepsOf(op::ThreadId thread, StepIndex from) const;
  std::span<const StepIndex> StepsOf(op::ThreadId thread) const { return steps_of_[thread]; }
  // The steps after step j that access `object`.
  void AppendAccesses(uint32_t object, StepIndex j, std::vector<StepIndex>& steps) const;
  // Adds to `clock` what must come before an access `touch` that is made after what follows step j,
  // below `end`, and happens neither after that nor after one of `without`.
  void JoinConflicts(const Touch& touch, StepIndex j, StepIndex end,
                     std::span<const StepIndex> without, std::vector<uint32_t>& clock) const;

  // The level of `object` after the accesses of the steps for which `holds(step)`. REQUIRES: they
  // are closed under what happens before. Nothing if only what they did last would tell.
  template <typename Holds>
  std::optional<op::Level> LevelAfter(uint32_t object, Holds holds) const;
  // Did one of the steps for which `holds(step)`, and which came after `access`, change its object?
  template <typename Holds>
  bool IsChangedAfter(const AccessRecord& access, Holds holds) const;
  // Is it known that a loop in this state goes round once more where it finds this level?
  bool IsVainAt(uint32_t await, op::Level level) const {
    return vain_levels_.contains(uint64_t{await} << 32 | level);
  }

  // Appends the reversible races of step i with steps before it (races.cpp). After a stop
  // request, not all.
  void FindRaces(StepIndex i, std::vector<Race>& races, StopToken stop_token = {}) const;
  // The same for an operation that did not run.
  void FindRaces(const Attempt& attempt, std::vector<Race>& races, StopToken stop_token = {}) const;

  // The first step from step `from` on that accesses the object of `touch` so that the two do not
  // commute; only steps for which `wanted(step)` holds.
  template <typename Wanted>
  StepIndex FirstDependent(const Touch& touch, StepIndex from, Wanted wanted) const {
    StepIndex first = kNoStep;
    if (touch.object >= chains_.size()) return first;
    for (uint32_t at = chains_[touch.object]; at != 0; at = accesses_[at - 1].previous) {
      const AccessRecord& access = accesses_[at - 1];
      if (access.step < from) break;
      if (!op::Commute(access.touch.access, touch.access) && wanted(access.step)) {
        first = access.step;
      }
    }
    return first;
  }

 private:
  struct Undo {
    StepIndex step;
    op::ThreadId thread;
  };

  void Widen(uint32_t threads);
  void AddStep(const trace::Execution& execution, StepIndex i);
  void AddAccesses(const trace::Execution& execution, StepIndex i);
  void JoinGroup(uint32_t last, uint32_t* clock) const;
  void AddAccess(StepIndex i, const trace::Event& event, const trace::Access& access, bool inside,
                 bool further);
  void AddFence(const trace::Execution& execution, StepIndex i);
  void FollowEvents(const trace::Execution& execution, StepIndex i);
  void FollowLetGo(const trace::Execution& execution, StepIndex i);
  uint32_t WaitsAt(op::ThreadId thread, StepIndex i) const;
  void JoinBase(StepIndex i, op::ThreadId thread, const uint32_t* clock);
  uint32_t* Row(std::vector<uint32_t>& rows, size_t i) { return rows.data() + i * stride_; }

  void NoteLook(const Look& look);
  uint32_t WriteUpTo(uint32_t chain) const;
  bool IsVainBefore(const Attempt& attempt, const AccessRecord& access) const;
  const AccessRecord& FirstOfStep(const AccessRecord& access) const;
  op::Level LevelBefore(const AccessRecord& access) const;
  op::Level LevelWithout(const AccessRecord& own, StepIndex j) const;
  void DropUnlessBegins(const AccessRecord& first, size_t from, std::vector<Race>& races,
                        StopToken stop_token) const;
  op::Access AccessBefore(const Attempt& attempt, const AccessRecord& access) const;
  bool IsEnabledBefore(const Attempt& attempt, const AccessRecord& access) const;
  void FindRacesOf(const Attempt& attempt, uint32_t chain, std::vector<Race>& races,
                   StopToken stop_token) const;
  void DropDominated(size_t from, std::vector<Race>& races, StopToken stop_token) const;

  uint32_t threads_ = 0;
  uint32_t stride_ = 0;
  std::vector<Step> steps_;
  std::vector<uint32_t> clocks_;                  // a row per step
  std::vector<uint32_t> before_;                  // a row per step: BaseBefore
  std::vector<uint32_t> bases_;                   // a row per thread
  std::vector<std::vector<StepIndex>> steps_of_;  // by thread
  std::vector<AccessRecord> accesses_;
  std::vector<uint32_t> chains_;  // by object: its last access, index + 1
  std::vector<plan::ScriptOption> options_;
  std::vector<Undo> undo_;  // changes of bases, with the rows that they replaced
  std::vector<uint32_t> undo_rows_;
  std::vector<LostTimeout> lost_;
  std::vector<uint32_t> lost_bases_;
  std::vector<Stalled> stalled_;
  std::vector<uint32_t> stalled_bases_;
  std::vector<KnownLook> looks_;              // of the execution in flight, by step
  std::unordered_set<uint64_t> vain_levels_;  // of the whole search: await, level
  StepIndex ending_ = kNoStep;
  bool finds_all_ = false;
  uint32_t next_let_go_ = 0;  // while extending
};

template <typename Holds>
std::optional<op::Level> StepGraph::LevelAfter(uint32_t object, Holds holds) const {
  uint32_t next = 0;  // the access after the last one that holds, index + 1
  uint32_t at = object < chains_.size() ? chains_[object] : 0;
  while (at != 0 && !holds(accesses_[at - 1].step)) {
    next = at;
    at = accesses_[at - 1].previous;
  }
  if (at == 0 && next == 0) return std::nullopt;
  if (at == 0) return accesses_[next - 1].level;
  const AccessRecord& last = accesses_[at - 1];
  if (last.touch.access == op::Access::kRead) return last.level;
  if (last.touch.access == op::Access::kWrite) {
    if (next == 0) return std::nullopt;
    return accesses_[next - 1].level;
  }
  op::Level level = accesses_[last.group_first].level;
  for (; at > last.group_first; at = accesses_[at - 1].previous) {
    if (holds(accesses_[at - 1].step)) level += accesses_[at - 1].Change();
  }
  return level;
}

template <typename Holds>
bool StepGraph::IsChangedAfter(const AccessRecord& access, Holds holds) const {
  const auto index = static_cast<uint32_t>(&access - accesses_.data());
  for (uint32_t at = chains_[access.touch.object]; at - 1 != index;) {
    const AccessRecord& later = accesses_[at - 1];
    if (later.Changes() && holds(later.step)) return true;
    at = later.previous;
  }
  return false;
}

}  // namespace heddle::explore
