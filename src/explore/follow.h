// Replay: one given schedule, once.
#pragma once

#include <span>
#include <vector>

#include "explore/explorer.h"

namespace heddle::explore {

class Follow final : public Explorer {
 public:
  struct State {
    std::vector<plan::Deviation> deviations;
    bool started = false;
  };

  explicit Follow(State* state) : state_(state) {}

  // The schedule of a replay file: `options` holds the option of every choice point, in order.
  static State Schedule(std::span<const uint32_t> options);

  std::optional<plan::Plan> NextPlan() override;
  void Learn(const trace::Execution&) override {}

 private:
  State* const state_;
};

}  // namespace heddle::explore
