// Plain enumeration: every schedule once, the last choice varied first. No reduction, so it is the
// court of appeal for everything cleverer. With Options.preemptions, options that would exceed the
// bound are skipped; that is sound because nothing else is pruned.
#pragma once

#include "explore/choice_stack.h"
#include "explore/explorer.h"

namespace heddle::explore {

class DepthFirst final : public Explorer {
 public:
  struct State {
    ChoiceStack stack;
    bool started = false;
    bool exhausted = false;
    bool cut = false;  // the bound left out something
  };

  DepthFirst(State* state, const Options& options) : state_(state), options_(options) {}

  std::optional<plan::Plan> NextPlan() override;
  void Learn(const trace::Execution& execution) override;
  int64_t CurrentBound() const override;
  int64_t CompletedBound() const override;
  bool Complete() const override { return state_->exhausted && !state_->cut; }

 private:
  State* const state_;
  const Options options_;
};

}  // namespace heddle::explore
