#include "explore/follow.h"

namespace heddle::explore {

Follow::State Follow::Schedule(std::span<const uint32_t> options) {
  State state;
  state.deviations.reserve(options.size());
  for (uint32_t option : options) {
    state.deviations.push_back({static_cast<uint32_t>(state.deviations.size()), option});
  }
  return state;
}

std::optional<plan::Plan> Follow::NextPlan() {
  if (state_->started) return std::nullopt;
  state_->started = true;
  return plan::Plan{.deviations = state_->deviations, .record = true};
}

}  // namespace heddle::explore
