// The real program, as fibers of this process, rewound in memory after each execution.
#pragma once

#include "target/target.h"

namespace heddle::search {

class FiberTarget final : public target::Target {
 public:
  // REQUIRES: the runtime is prepared (runtime/world/prepare.h) and a snapshot is held.
  // The ending may be kRestart: the program does what memory rewinding cannot undo.
  const trace::Execution& Run(const plan::Plan& plan) override;

  // The same without rewinding and without more threads when they run out (kRestart then, too): for
  // a process that ends afterwards.
  const trace::Execution& RunOnce(const plan::Plan& plan);

 private:
  trace::Execution execution_;
};

}  // namespace heddle::search
