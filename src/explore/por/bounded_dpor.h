// Dynamic partial-order reduction within a bound on preemptions: for when the states of
// hb/cb_por.h would not fit.
//
// Source: Coons, Musuvathi, McKinley, "Bounded partial-order reduction", OOPSLA 2013
// (docs/algorithms/bounded_dpor.md, lines B1 .. B5). A reduction keeps one schedule for several,
// and the one it keeps may cost more than the bound allows. Persistent sets stay sound with
// conservative backtracking points: a thread that has to run before step j is explored from the
// state before j, which may cost a preemption, and from where the block of step j begins, which
// costs none that was not paid there. A block is what a thread does from one switch to the next.
//
// Our differences:
//   * Nothing sleeps: what a sleeping step stands for may cost less than what is run in its place.
//     So a happens-before graph may be run more than once, but no schedule is, and none that would
//     not be run without a reduction.
//   * The paper looks in every state for the last step of each thread that depends on the next
//     operation of another, whether or not that was enabled there: before an unlock a thread blocks
//     at its lock, and then the switch back is free. We look when the operation is made, or at the
//     end, for all steps since the thread stood before it (StepGraph::FindAll).
//   * A yield lets only the thread whose turn it is go on for nothing (trace/cost.h); the paper has
//     no yields.
//   * Time limits, ends of the program before others have ended, atomic sections and loops that
//   wait
//     are beyond the paper's argument: when the first is met, the search begins again without a
//     reduction (context_bounded.h, or depth_first.h if bounds are not in turn).
//
// With bounds in turn each is a search from the beginning, which runs again what costs less. Where
// several searches share one (Split), whoever began has the beginning of each bound. At a closed
// node (por/split.cpp) all threads that may run within the bound are explored, so no point need be
// added there. What is beyond the argument is so for all of them: the search begins again.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>

#include "explore/enumerate/context_bounded.h"
#include "explore/enumerate/depth_first.h"
#include "explore/explorer.h"
#include "explore/por/thread_sets.h"

namespace heddle::explore {

class BoundedDpor final : public Explorer {
 public:
  struct State {
    Reduction::State search;        // with the present bound
    std::vector<uint32_t> costs;    // by node: of the steps before it
    std::vector<StepIndex> blocks;  // by node: where the block of the step from it begins
    std::vector<uint64_t> costly;   // by node, as its open_sets: those open that cost one more
    uint32_t bound = 0;
    uint64_t counted = 0;      // executions that ran to an end
    uint64_t ran_again = 0;    // of these: explored before
    bool cut = false;          // the bound left out something
    bool without = false;      // without a reduction: the search is one of these two
    int64_t through = -1;      // the bound that the reduction had completed
    uint64_t thrown_away = 0;  // what it had run, and is run again
    uint64_t run_without = 0;
    ContextBounded::State in_turn;
    DepthFirst::State at_once;
    bool begun = false;
    bool exhausted = false;
    bool has_root = true;  // the search from the beginning is its own, not a branch of it
    bool parted = false;   // others have, or had, a part of the space
    bool empty = false;    // of the present bound, what was to be explored here is through
    bool beyond = false;   // met, while others have a part
  };

  BoundedDpor(State* state, const Options& options, Spill* spill = nullptr);

  std::optional<plan::Plan> NextPlan() override;
  void Learn(const trace::Execution& execution) override;
  std::optional<Branch> Split() override;
  bool Take(const Branch& branch) override;
  bool TakesMore() const override { return true; }
  bool AwaitsBound() const override;
  bool RaiseBound() override;
  bool BeginsAgain() const override { return s_.beyond; }
  void RestartWithoutSplitting() override;
  int64_t CurrentBound() const override;
  int64_t CompletedBound() const override;
  bool Complete() const override;
  uint64_t RanAgain() const override {
    return s_.ran_again + std::min(s_.thrown_away, s_.run_without);
  }
  uint64_t Nodes() const override { return Present().Nodes(); }
  uint64_t PeakNodes() const override { return Present().PeakNodes(); }
  std::optional<claim::Incomplete> Gap() const override { return Present().Gap(); }

 private:
  // The search with one bound.
  class Pass final : public ThreadSets {
   public:
    Pass(BoundedDpor::State* state, StopToken stop_token, Spill* spill)
        : ThreadSets(&state->search, {.stop_token = stop_token}, spill), b_(*state) {
      s_.graph.FindAll();
    }

   private:
    Answer Consider(const Reversal& reversal) override;
    bool NothingSleeps() const override { return true; }
    void Meet(const trace::Execution& execution, StepIndex node) override;
    bool IsWithin(StepIndex node, op::ThreadId thread) override;
    void AddOrAll(StepIndex node, op::ThreadId thread, bool tentative);
    void AddAll(StepIndex node);
    bool Costs(StepIndex node, op::ThreadId thread) const;
    bool IsPassedOver(StepIndex begin, op::ThreadId p) const;

    BoundedDpor::State& b_;
  };

  const Explorer& Present() const {
    if (plain_ != nullptr) return *plain_;
    return *pass_;
  }
  void GoOnWithout();
  void StartAfresh();

  State& s_;
  const Options options_;
  Spill* const spill_;
  std::optional<Pass> pass_;
  std::unique_ptr<Explorer> plain_;  // without a reduction; null: with one
};

}  // namespace heddle::explore
