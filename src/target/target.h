// "Run once": the seam between deciding and running. Implemented by the fiber target (the real
// program, rewound in memory), the fork target (a child per execution) and the fake target of the
// unit tests.
#pragma once

#include "plan/plan.h"
#include "trace/execution.h"

namespace heddle::target {

class Target {
 public:
  // Runs the program from its start to an ending under `plan`.
  // ENSURES: the answer is valid until the next Run; ending.kind is never kRunning or kRestart.
  virtual const trace::Execution& Run(const plan::Plan& plan) = 0;

 protected:
  ~Target() = default;
};

}  // namespace heddle::target
