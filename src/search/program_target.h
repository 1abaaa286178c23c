// The program under test, by whichever way of rewinding it needs: in memory until it does something
// that cannot be undone there, then by fork. Optionally every schedule is run twice and compared.
#pragma once

#include <vector>

#include "search/fiber_target.h"
#include "search/fork_target.h"
#include "target/target.h"

namespace heddle::search {

class ProgramTarget final : public target::Target {
 public:
  // `checkpoint_bytes`: as much memory as checkpoints may take; 0: there are none.
  ProgramTarget(bool verify, size_t checkpoint_bytes)
      : fibers_(checkpoint_bytes), forks_(checkpoint_bytes != 0), verify_(verify) {}

  // REQUIRES: the runtime is prepared. ENSURES: the ending is never kRestart.
  const trace::Execution& Run(const plan::Plan& plan) override;

  // The next execution begins at its beginning.
  void ForgetCheckpoints();

 private:
  const trace::Execution& RunOnce(const plan::Plan& plan);
  // The second run of a schedule (execution_) differs from the first (events_): makes that its
  // ending. `again`: the plan of both, which is run a third time to learn lines and objects.
  void SayWhereItDiverged(plan::Plan again);

  FiberTarget fibers_;
  ForkTarget forks_;
  const bool verify_;
  trace::Execution execution_;
  std::vector<plan::Deviation> dense_;
  std::vector<trace::Event> events_;
};

}  // namespace heddle::search
