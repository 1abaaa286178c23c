#include "explore/main_loop.h"

namespace heddle::explore {

// This is the loop that matters.
SearchEnd RunSearch(Explorer& explorer, target::Target& target,
                    std::span<Observer* const> observers, Budget& budget) {
  while (budget.Left()) {
    const std::optional<plan::Plan> plan = explorer.NextPlan();
    if (!plan) return budget.StopRequested() ? SearchEnd::kBudget : SearchEnd::kExhausted;
    const trace::Execution& execution = target.Run(*plan);
    if (Conclude(explorer, *plan, execution, observers) == Observer::Then::kStop) {
      return SearchEnd::kStopped;
    }
  }
  return SearchEnd::kBudget;
}

Observer::Then Conclude(Explorer& explorer, const plan::Plan& plan,
                        const trace::Execution& execution, std::span<Observer* const> observers) {
  auto then = Observer::Then::kContinue;
  for (Observer* observer : observers) {
    if (observer->OnExecution(plan, execution) == Observer::Then::kStop) {
      then = Observer::Then::kStop;
    }
  }
  if (trace::ClassOf(execution.ending.kind) != trace::EndClass::kInternal)
    explorer.Learn(execution);
  return then;
}

}  // namespace heddle::explore
