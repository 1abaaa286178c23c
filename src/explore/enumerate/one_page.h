// The One Page Model Checker (Holt; section 5 and 6): depth first over the orders of statements,
// with a table of the combined execution counters (visited/visited_counters.h).
//
// The paper's processes and their children are the executions and their branches here
// (enumeration.h): an execution goes on with the thread that ran, and the other options at each of
// its choices are its children. How the prefix of a child comes about, by fork or by running it
// again, is --rewind's.
//
// A race condition ends its execution. If the search goes on (--keep-going), the same schedule is
// run again, and does not end there: what comes after it was not explored.
#pragma once

#include "explore/enumerate/enumeration.h"
#include "explore/visited/visited_counters.h"

namespace heddle::explore {

class OnePage final : public Enumeration {
 public:
  struct State : Enumeration::State {
    VisitedCounters::State counters;
    bool again = false;  // the last schedule is to be run again
  };

  OnePage(State* state, const Options& options, Spill* spill = nullptr)
      : Enumeration(*state, options, spill), own_(*state) {}

  std::optional<plan::Plan> NextPlan() override;
  void Learn(const trace::Execution& execution) override;
  bool Complete() const override { return Enumeration::Complete() && !own_.counters.lost; }
  int64_t CompletedBound() const override { return -1; }  // there is none
  std::optional<VisitedCount> Visited() const override;
  std::optional<OtherOrder> Other() const override;
  std::optional<claim::Incomplete> Gap() const override;

 private:
  State& own_;
};

}  // namespace heddle::explore
