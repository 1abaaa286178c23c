// What an execution leaves open at a choice of threads that is its own (enumeration.h), and whether
// that costs one more than what it did there, or nothing (trace/cost.h).
//
// Of preemptions: every other thread that is open, by its price. Of delays: only the one next in
// turn after the thread that ran, for one delay; those further on are left to the execution in
// which that one runs. So a choice point at which an execution deviates is its own, too, and all
// that is open anywhere costs one more at most: a search by bound needs one queue.
//
// Of depth: every other thread that is open. What they cost is said by the place of the choice: as
// many as there are choices of threads up to it, whatever was taken there.
//
// Of stale accesses: every other thread that is open, for nothing; options other than threads that
// are not the newest write cost one (CostsStale).
#pragma once

#include <cstdint>

#include "space/space.h"
#include "trace/cost.h"
#include "trace/memory_choice.h"

namespace heddle::explore {

class OwnOptions {
 public:
  // REQUIRES: `choice` is one of threads, and lives longer than this.
  OwnOptions(const trace::Execution& execution, const trace::Choice& choice, space::Unit unit)
      : others_(execution.Open(choice) - op::OnlyThread(choice.chosen)),
        costly_(execution, choice),
        next_(unit == space::Unit::kDelays ? trace::NextInTurn(execution, choice) : op::kNoThread),
        unit_(unit),
        width_(choice.set_words) {}

  class Set : public op::ThreadSetQueries<Set> {
   public:
    Set(const OwnOptions& own, bool costly) : own_(own), costly_(costly) {}
    uint32_t Width() const { return own_.width_; }
    uint64_t Word(uint32_t w) const { return costly_ ? own_.CostlyWord(w) : own_.FreeWord(w); }

   private:
    const OwnOptions& own_;
    bool costly_;
  };

  // REQUIRES of both: not used for longer than this.
  Set Free() const { return {*this, false}; }
  Set Costly() const { return {*this, true}; }

 private:
  uint64_t FreeWord(uint32_t w) const {
    if (unit_ == space::Unit::kStale) return others_.WordOrNone(w);
    return unit_ == space::Unit::kPreemptions ? others_.WordOrNone(w) & ~costly_.WordOrNone(w) : 0;
  }
  uint64_t CostlyWord(uint32_t w) const {
    if (unit_ == space::Unit::kPreemptions) return others_.WordOrNone(w) & costly_.WordOrNone(w);
    if (unit_ == space::Unit::kDepth) return others_.WordOrNone(w);
    if (unit_ == space::Unit::kStale) return 0;
    const bool is_here = next_ != op::kNoThread && op::WordOf(next_) == w;
    return is_here ? op::BitOf(next_) : 0;
  }

  op::ThreadSetDifference<op::ThreadSet, op::OnlyThread> others_;
  trace::CostlyOptions costly_;
  op::ThreadId next_;
  space::Unit unit_;
  uint32_t width_;
};

// Do options of the choice other than the first cost one?
inline bool CostsStale(const trace::Choice& choice, space::Unit unit) {
  return unit == space::Unit::kStale && trace::IsOfMemory(choice.kind);
}

inline constexpr uint32_t kNoDeviation = 0xffffffffu;

// The first own choice point of an execution that deviates last at the choice point `deviation`.
inline uint32_t FirstOwn(uint32_t deviation, space::Unit unit) {
  if (deviation == kNoDeviation) return 0;
  return unit == space::Unit::kDelays ? deviation : deviation + 1;
}

// Of the choice as it was taken; of depth, what it adds to that of later ones.
inline uint32_t CostOf(const trace::Execution& execution, const trace::Choice& choice,
                       space::Unit unit) {
  if (unit == space::Unit::kDepth) return choice.kind == trace::ChoiceKind::kThread;
  if (unit == space::Unit::kStale) return CostsStale(choice, unit) && choice.chosen != 0;
  return unit == space::Unit::kDelays ? trace::DelaysOf(execution, choice, choice.chosen)
                                      : trace::Costs(execution, choice, choice.chosen);
}

// What an execution costs that takes one of the costly options at a choice, in place of one that
// costs `cost` up to that choice and with it.
inline uint32_t CostOfOther(uint32_t cost, space::Unit unit) {
  return unit == space::Unit::kDepth ? cost : cost + 1;
}

// Of the first `choices` choices of `execution`.
inline uint32_t CostOf(const trace::Execution& execution, size_t choices, space::Unit unit) {
  uint32_t cost = 0;
  for (const trace::Choice& choice : execution.choices.first(choices)) {
    cost += CostOf(execution, choice, unit);
  }
  return cost;
}

}  // namespace heddle::explore
