#include "explore/enumeration.h"

#include <algorithm>

#include "explore/own_options.h"

namespace heddle::explore {

const char* Enumeration::Weakness() const {
  return s_.tree.Lost() ? ExecutionTree::kWeaknessIfLost : nullptr;
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

plan::Plan Enumeration::Begin() {
  s_.started = true;
  Hold(InFlight());
  return plan::Plan{};
}

std::optional<plan::Plan> Enumeration::TakeFromStack() {
  const auto open = s_.stack.Take();
  if (!open) return std::nullopt;
  return Run(*open);
}

std::optional<plan::Plan> Enumeration::Run(const OpenOption& open) {
  const Id before = InFlight();
  // In place of what that execution deviated by, or after it.
  const bool in_place = open.choice == DeviationOf(open.execution);
  const Id parent = in_place ? s_.tree.At(open.execution).parent : open.execution;
  GoTo(parent);
  s_.path.push_back(s_.tree.Add(parent, open.choice, open.option));
  s_.deviations.push_back({open.choice, open.option});
  LetGo(before);
  if (open.last) LetGo(open.execution);
  if (s_.tree.Lost()) return std::nullopt;
  return plan::Plan{.deviations = s_.deviations};
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

}  // namespace heddle::explore
