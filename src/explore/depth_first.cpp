#include "explore/depth_first.h"

namespace heddle::explore {

std::optional<plan::Plan> DepthFirst::NextPlan() {
  State& s = *state_;
  if (s.started && !s.stack.Advance()) {
    s.exhausted = true;
    return std::nullopt;
  }
  s.started = true;
  return plan::Plan{.deviations = s.stack.Deviations()};
}

void DepthFirst::Learn(const trace::Execution& execution) {
  if (!state_->stack.Extend(execution, options_.preemptions)) state_->cut = true;
}

int64_t DepthFirst::CurrentBound() const {
  return options_.preemptions == kUnbounded ? -1 : int64_t{options_.preemptions};
}

int64_t DepthFirst::CompletedBound() const { return state_->exhausted ? CurrentBound() : -1; }

}  // namespace heddle::explore
