// Plain enumeration: every schedule once, the last choice varied first. No reduction, so it is the
// court of appeal for everything cleverer. With Options.bound, options that would exceed the
// bound are skipped; that is sound because nothing else is pruned.
#pragma once

#include "explore/enumerate/enumeration.h"

namespace heddle::explore {

class DepthFirst final : public Enumeration {
 public:
  using State = Enumeration::State;

  DepthFirst(State* state, const Options& options, Spill* spill = nullptr)
      : Enumeration(*state, options, spill) {}

  std::optional<plan::Plan> NextPlan() override;
  void Learn(const trace::Execution& execution) override;
  std::optional<Branch> Split() override { return SplitStack(); }
  bool TakesMore() const override { return true; }
  int64_t CompletedBound() const override;
};

}  // namespace heddle::explore
