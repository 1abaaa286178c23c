// The real program, in a child process per execution: for what rewinding in memory cannot undo
// (dlopen, fork, files). The trace and heddle's heap are shared memory, so what the child did is
// there when it has ended, however it ended.
#pragma once

#include "search/fiber_target.h"
#include "target/target.h"

namespace heddle::search {

class ForkTarget final : public target::Target {
 public:
  // REQUIRES: the runtime is prepared and no snapshot is held.
  const trace::Execution& Run(const plan::Plan& plan) override;

 private:
  FiberTarget fibers_;
  trace::Execution execution_;
};

}  // namespace heddle::search
