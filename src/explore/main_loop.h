// The main loop: joins "run the program" and "decide what next".
#pragma once

#include <span>

#include "explore/explorer.h"
#include "explore/observer.h"
#include "target/target.h"

namespace heddle::explore {

// How long to go on: executions, wall clock, Ctrl-C.
class Budget {
 public:
  // Asked before every execution.
  virtual bool Left() = 0;
  // Was the search told to end? Then that the explorer knows no further plan proves nothing.
  virtual bool StopRequested() const { return false; }

 protected:
  ~Budget() = default;
};

// A number of executions.
class ExecutionBudget final : public Budget {
 public:
  explicit ExecutionBudget(uint64_t executions) : left_(executions) {}
  bool Left() override { return left_ > 0 && left_-- > 0; }

 private:
  uint64_t left_;
};

enum class SearchEnd { kExhausted, kStopped, kBudget };

// Runs until the explorer has nothing left, an observer stops it, or the budget is used up.
// ENSURES: the explorer has learnt from the last execution, so another call goes on from there.
SearchEnd RunSearch(Explorer& explorer, target::Target& target,
                    std::span<Observer* const> observers, Budget& budget);

// The half of a turn after the run. Also for an execution that ended with its process: the next
// process calls this with what is left of it before it goes on.
Observer::Then Conclude(Explorer& explorer, const plan::Plan& plan,
                        const trace::Execution& execution, std::span<Observer* const> observers);

}  // namespace heddle::explore
