#include "explore/random_walk.h"

#include "base/hash.h"

namespace heddle::explore {

std::optional<plan::Plan> RandomWalk::NextPlan() {
  if (state_->only_one) return std::nullopt;
  uint64_t stream = base::Mix(options_.seed) + state_->executions;
  const bool bounded = options_.bound.unit == space::Unit::kStale;
  return plan::Plan{.deviations = {},
                    .tail = plan::Tail::kRandom,
                    .seed = base::NextRandom(stream),
                    .most_stale = bounded ? options_.bound.most : kUnbounded};
}

}  // namespace heddle::explore
