// Random walk: at every choice point each open option is equally likely. Execution i draws from a
// seed of its own, made from Options.seed and i, so the walk is the same whatever happened before;
// it never ends by itself and proves nothing, unless the first execution had nothing to choose.
#pragma once

#include "explore/explorer.h"
#include "explore/only_schedule.h"

namespace heddle::explore {

class RandomWalk final : public Explorer {
 public:
  struct State {
    uint64_t executions = 0;
    bool only_one = false;  // schedule
  };

  RandomWalk(State* state, const Options& options) : state_(state), options_(options) {}

  std::optional<plan::Plan> NextPlan() override;
  void Learn(const trace::Execution& execution) override {
    if (state_->executions++ == 0) state_->only_one = IsOnlySchedule(execution);
  }
  bool Complete() const override { return state_->only_one; }

 private:
  State* const state_;
  const Options options_;
};

}  // namespace heddle::explore
