#include "explore/enumerate/enumeration.h"

#include <algorithm>

#include "explore/own_options.h"

namespace heddle::explore {

std::optional<claim::Incomplete> Enumeration::Gap() const {
  if (s_.visited.full) return claim::Incomplete::kStatesFull;
  if (s_.tree.Lost()) return claim::Incomplete::kUnreadable;
  return Livelocks::Gap(s_.visited.livelocks);
}

uint32_t Enumeration::DeviationOf(Id execution) const {
  return execution == ExecutionTree::kRoot ? kNoDeviation : s_.tree.At(execution).step;
}

uint32_t Enumeration::FirstOwnOf(Id execution) const {
  return FirstOwn(DeviationOf(execution), options_.bound.unit);
}

bool Enumeration::KeepOnStack(const trace::Execution& execution, uint32_t most) {
  const space::Bound bound = {options_.bound.unit, most};
  const auto extension = s_.stack.Extend(InFlight(), execution, DeviationOf(InFlight()), bound);
  if (extension.any) Hold(InFlight());
  return extension.all;
}

// Of the execution in flight.
std::optional<plan::Plan> Enumeration::PlanOf() {
  plan::Plan plan{.deviations = s_.deviations, .end_if_vain = true};
  if (!Visits()) return plan;
  const uint32_t bound = options_.iterates ? static_cast<uint32_t>(CurrentBound()) : 0;
  if (!VisitedStates::Prepare(s_.visited, options_, bound)) return std::nullopt;
  plan.visiting = VisitedStates::Of(s_.visited);
  return plan;
}

std::optional<plan::Plan> Enumeration::Begin() {
  s_.started = true;
  if (InFlight() == ExecutionTree::kRoot) Hold(InFlight());  // others are, since they were added
  return PlanOf();
}

std::optional<plan::Plan> Enumeration::TakeFromStack() {
  const auto open = s_.stack.Take();
  if (!open) return std::nullopt;
  return Run(*open);
}

// In place of what that execution deviated by, or after it.
Enumeration::Id Enumeration::ParentOf(const OpenOption& open) const {
  const bool in_place = open.choice == DeviationOf(open.execution);
  return in_place ? s_.tree.At(open.execution).parent : open.execution;
}

std::optional<plan::Plan> Enumeration::Run(const OpenOption& open) {
  const Id before = InFlight();
  const Id parent = ParentOf(open);
  GoTo(parent);
  s_.path.push_back(s_.tree.Add(parent, open.choice, open.option));
  s_.deviations.push_back({open.choice, open.option});
  LetGo(before);
  if (open.last) LetGo(open.execution);
  if (s_.tree.Lost()) return std::nullopt;
  return PlanOf();
}

// Makes `execution` the end of the path: up the path, if it lies there, or else by the tree.
void Enumeration::GoTo(Id execution) {
  const auto at = std::find(s_.path.rbegin(), s_.path.rend(), execution);
  if (at != s_.path.rend()) {
    s_.path.erase(at.base(), s_.path.end());
    s_.deviations.resize(s_.path.size() - 1);
    return;
  }
  s_.path.clear();
  s_.deviations.clear();
  for (Id id = execution; id != ExecutionTree::kNone; id = s_.tree.At(id).parent) {
    s_.path.push_back(id);
    const ExecutionTree::Node& node = s_.tree.At(id);
    if (id != ExecutionTree::kRoot) s_.deviations.push_back({node.step, node.option});
  }
  std::ranges::reverse(s_.path);
  std::ranges::reverse(s_.deviations);
}

std::optional<Branch> Enumeration::SplitStack() {
  const auto open = s_.stack.TakeEldest();
  if (!open) return std::nullopt;
  return PartWith(*open);
}

Branch Enumeration::PartWith(const OpenOption& open) {
  Branch branch;
  branch.deviations.push_back({open.choice, open.option});
  for (Id id = ParentOf(open); id != ExecutionTree::kRoot; id = s_.tree.At(id).parent) {
    branch.deviations.push_back({s_.tree.At(id).step, s_.tree.At(id).option});
  }
  std::ranges::reverse(branch.deviations);
  if (open.last) LetGo(open.execution);
  return branch;
}

// The executions on the way to it are nodes only: their own options are somebody else's. What was
// run last is in flight no more.
bool Enumeration::Take(const Branch& branch) {
  if ((s_.started && !TakesMore()) || branch.deviations.empty()) return false;
  const Id last = InFlight();
  const bool was_held = s_.started;
  GoTo(ExecutionTree::kRoot);
  s_.started = s_.exhausted = false;
  for (const plan::Deviation& deviation : branch.deviations) {
    const Id before = InFlight();
    s_.path.push_back(s_.tree.Add(before, deviation.choice, deviation.option));
    if (before != ExecutionTree::kRoot) LetGo(before);
  }
  s_.deviations = branch.deviations;
  if (was_held) LetGo(last);
  return true;
}

}  // namespace heddle::explore
