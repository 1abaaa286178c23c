// What the searches without a reduction share: every execution is run, each once.
//
// An execution is a node of the execution tree: as its parent, but for one deviation (plan/plan.h).
// After that deviation it took defaults. So the options that it left open after it are its own
// (own_options.h), and those before belong to its parent: every (execution, own choice point, other
// option) is one branch, and no execution is run twice, in whatever order the branches are taken.
// Which order that is, is all that the searches differ in: the deepest first (depth_first.h), or
// what costs least (context_bounded.h).
//
// Where open options are kept, they hold the node of their execution: it stays until the last of
// them was taken and all that was made from it is through. The execution in flight is held, too.
#pragma once

#include <vector>

#include "explore/branch.h"
#include "explore/enumerate/choice_stack.h"
#include "explore/execution_tree.h"
#include "explore/explorer.h"
#include "explore/visited/visited_states.h"

namespace heddle::explore {

class Enumeration : public Explorer {
 public:
  using Id = ExecutionTree::Id;

  struct State {
    ExecutionTree tree;
    std::vector<Id> path = {ExecutionTree::kRoot};  // the nodes of the execution in flight
    std::vector<plan::Deviation> deviations;        // of each of them but the root
    ChoiceStack stack;
    bool started = false;
    bool exhausted = false;
    bool cut = false;              // the bound left out something
    VisitedStates::State visited;  // with --visited
  };

  bool Complete() const override {
    return s_.exhausted && !s_.cut && !s_.tree.Lost() && !s_.visited.full &&
           !Livelocks::Gap(s_.visited.livelocks);
  }
  int64_t CurrentBound() const override {
    return options_.bound.IsNone() ? -1 : int64_t{options_.bound.most};
  }
  uint64_t Nodes() const override { return s_.tree.Size(); }
  uint64_t PeakNodes() const override { return s_.tree.Peak(); }
  std::optional<claim::Incomplete> Gap() const override;
  bool Take(const Branch& branch) override;
  std::optional<VisitedCount> Visited() const override {
    if (!Visits()) return std::nullopt;
    return VisitedStates::CountOf(s_.visited);
  }

 protected:
  Enumeration(State& state, const Options& options, Spill* spill) : options_(options), s_(state) {
    s_.tree.SetSpill(spill);
  }

  // The execution in flight, and the first choice point of an execution's own.
  Id InFlight() const { return s_.path.back(); }
  uint32_t FirstOwnOf(Id execution) const;
  uint32_t DeviationOf(Id execution) const;  // the choice point at which it deviates last
  // Keeps on the stack what `execution`, the one in flight, left open that costs no more than
  // `most` in all. ENSURES: the answer is true if nothing was left out.
  bool KeepOnStack(const trace::Execution& execution, uint32_t most);
  // For options that are kept elsewhere.
  void Hold(Id execution) { s_.tree.Hold(execution); }
  void LetGo(Id execution) { s_.tree.Drop(execution); }

  // The first execution; the one with the next option of the stack, or nothing; the one with
  // `open`. Nothing, too, when the tree cannot be read any more.
  std::optional<plan::Plan> Begin();
  std::optional<plan::Plan> TakeFromStack();
  std::optional<plan::Plan> Run(const OpenOption& open);
  // Parts with the option that has been on the stack the longest, or nothing; with `open`.
  std::optional<Branch> SplitStack();
  Branch PartWith(const OpenOption& open);
  // With --visited: a plan that goes round a cycle of states, if there is one to be tried.
  // `at_end`: nothing else is left to be run. Was it such a plan that has run?
  std::optional<plan::Plan> GoRound(bool at_end) {
    if (!Visits()) return std::nullopt;
    return Livelocks::NextPlan(s_.visited.livelocks, s_.visited.items, at_end);
  }
  bool WentRound(const trace::Execution& execution) {
    return Visits() && Livelocks::Learn(s_.visited.livelocks, execution);
  }
  // What the execution in flight visited is kept.
  void KeepVisited() {
    if (Visits()) VisitedStates::Commit(s_.visited);
  }

  const Options options_;
  State& s_;

 private:
  bool Visits() const { return options_.whole.visited == space::Visited::kStates; }
  std::optional<plan::Plan> PlanOf();
  Id ParentOf(const OpenOption& open) const;
  void GoTo(Id execution);
};

}  // namespace heddle::explore
