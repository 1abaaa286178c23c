// The real program, in a child process per execution: for what rewinding in memory cannot undo
// (dlopen, fork, files). The trace and heddle's heap are shared memory, so what the child did is
// there when it has ended, however it ended.
#pragma once

#include "search/fiber_target.h"
#include "search/fork_checkpoints.h"
#include "target/target.h"

namespace heddle::search {

class ForkTarget final : public target::Target {
 public:
  explicit ForkTarget(bool has_checkpoints) : has_checkpoints_(has_checkpoints) {}

  // The next execution begins at the beginning.
  void ForgetCheckpoints() { checkpoints_.Forget(); }
  // REQUIRES: the runtime is prepared and no snapshot is held.
  const trace::Execution& Run(const plan::Plan& plan) override;

 private:
  // What wait4 says of the child that ran it.
  int RunInChild(const plan::Plan& plan);

  const bool has_checkpoints_;
  FiberTarget fibers_{0};
  ForkCheckpoints checkpoints_;
  trace::Execution execution_;
};

}  // namespace heddle::search
