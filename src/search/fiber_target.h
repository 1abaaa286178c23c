// The real program, as fibers of this process, rewound in memory after each execution.
#pragma once

#include "search/checkpoints.h"
#include "search/execution_time.h"
#include "target/target.h"

namespace heddle::search {

class FiberTarget final : public target::Target {
 public:
  // As much memory as checkpoints may take; 0: every execution begins at the beginning.
  explicit FiberTarget(size_t checkpoint_bytes) : checkpoints_(checkpoint_bytes) {}

  // REQUIRES: the runtime is prepared (runtime/world/prepare.h) and a snapshot is held.
  // The ending may be kRestart: the program does what memory rewinding cannot undo.
  const trace::Execution& Run(const plan::Plan& plan) override;

  // The next execution begins at the beginning.
  void ForgetCheckpoints() { checkpoints_.Forget(); }

  // The same without rewinding and without more threads when they run out (kRestart then, too): for
  // a process that ends afterwards.
  const trace::Execution& RunOnce(const plan::Plan& plan);

 private:
  void RunFromStart(const plan::Plan& plan);
  // From a checkpoint.
  void GoOn(const plan::Plan& plan);

  bool first_ = true;  // execution of this process
  ExecutionTimer timer_;
  trace::Execution execution_;
  Checkpoints checkpoints_;
};

}  // namespace heddle::search
