// An observer sees every execution: coverage, outcomes, checks, progress.
#pragma once

#include "plan/plan.h"
#include "trace/execution.h"

namespace heddle::explore {

class Observer {
 public:
  enum class Then { kContinue, kStop };

  // Must not run the target: `execution` is valid only until its next run, and the explorer has yet
  // to learn from it. To run more (explain, minimise), stop the search, do it, and go on with
  // another RunSearch.
  virtual Then OnExecution(const plan::Plan& plan, const trace::Execution& execution) = 0;

 protected:
  ~Observer() = default;
};

}  // namespace heddle::explore
