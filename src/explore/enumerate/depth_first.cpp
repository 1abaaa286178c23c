#include "explore/enumerate/depth_first.h"

namespace heddle::explore {

std::optional<plan::Plan> DepthFirst::NextPlan() {
  if (!s_.started) return Begin();
  if (auto round = GoRound(false)) return round;
  if (auto plan = TakeFromStack()) return plan;
  s_.exhausted = !s_.visited.full;
  return GoRound(true);
}

void DepthFirst::Learn(const trace::Execution& execution) {
  if (WentRound(execution)) return;
  KeepVisited();
  if (!KeepOnStack(execution, options_.bound.most)) s_.cut = true;
}

int64_t DepthFirst::CompletedBound() const {
  return s_.exhausted && !s_.tree.Lost() ? CurrentBound() : -1;
}

}  // namespace heddle::explore
