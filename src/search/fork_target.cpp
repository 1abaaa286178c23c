#include "search/fork_target.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/check.h"
#include "runtime/control.h"
#include "runtime/fibers/pool.h"
#include "runtime/fibers/table.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/fibers/trace_view.h"
#include "runtime/memory/execution_state.h"
#include "runtime/prim/old_syscalls.h"
#include "runtime/prim/syscall.h"
#include "runtime/restart.h"
#include "runtime/rewind_mode.h"
#include "runtime/runtime.h"
#include "runtime/world/opened_libraries.h"
#include "runtime/world/unseen_calls.h"

namespace heddle::search {

using namespace runtime;  // NOLINT: this file is where the target meets the runtime

int ForkTarget::RunInChild(const plan::Plan& plan) {
  RenewStacks();  // a child could not ask for clear ones (RestartFor::kStacks)
  // The system call, not fork(): glibc's would take the stacks of the parked threads away in the
  // child.
  const long child = RawFork();
  HEDDLE_CHECK(child >= 0);
  if (child == 0) {
    RawSyscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
    WatchSystemCalls();
    fibers_.RunOnce(plan);
    for (;;) RawSyscall(SYS_exit_group, 0);
  }
  SetForkedExecution(child);
  ChannelHeader().runner.store(static_cast<uint32_t>(child), std::memory_order_relaxed);
  int status = 0;
  while (RawSyscall(SYS_wait4, child, reinterpret_cast<long>(&status), 0, 0) == -EINTR) {
  }
  SetForkedExecution(0);
  return status;
}

const trace::Execution& ForkTarget::Run(const plan::Plan& plan) {
  for (;;) {
    const auto run = [](void* self, const plan::Plan& copy) {
      static_cast<ForkTarget*>(self)->fibers_.RunOnce(copy);
    };
    // What is recorded has no use for a checkpoint, and wants what the search has learnt meanwhile.
    const bool from_checkpoint = has_checkpoints_ && !plan.record;
    if (!from_checkpoint) checkpoints_.Forget();
    const int status =
        from_checkpoint ? checkpoints_.Run(plan, execution_, run, this) : RunInChild(plan);
    ChannelHeader().runner.store(0, std::memory_order_relaxed);
    SyncFiberTable();
    SyncObjects();
    channel::Header& header = ChannelHeader();
    header.in_flight.store(0, std::memory_order_relaxed);
    if (g_trace->ending.kind == trace::EndKind::kRunning) {
      // The supervisor kills a child that does not answer a stop request.
      const bool stopped =
          header.stop_request.load() != 0 && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
      g_trace->ending.kind = stopped ? trace::EndKind::kStopped : trace::EndKind::kDied;
      g_trace->ending.status = status;
      g_trace->ending.thread = op::kNoThread;
    }
    ConcludeOpening();
    ++g_execution;
    execution_ = ViewOfTrace(g_fiber_count);
    if (execution_.ending.kind != trace::EndKind::kRestart) return execution_;
    HEDDLE_CHECK(RestartReason() == RestartFor::kThreads);
    checkpoints_.Forget();
    GrowPool(WantedThreads());
  }
}

}  // namespace heddle::search
