#include "search/fiber_target.h"

#include <stdlib.h>

#include <utility>

#include "runtime/control.h"
#include "runtime/debugger.h"
#include "runtime/fibers/plan_follower.h"
#include "runtime/fibers/pool.h"
#include "runtime/fibers/schedule.h"
#include "runtime/fibers/switch.h"
#include "runtime/fibers/table.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/fibers/trace_view.h"
#include "runtime/fibers/weak_events.h"
#include "runtime/loops/joint_cycle.h"
#include "runtime/memory/execution_state.h"
#include "runtime/memory/rewind.h"
#include "runtime/races.h"
#include "runtime/record.h"
#include "runtime/restart.h"
#include "runtime/runtime.h"
#include "runtime/start.h"
#include "runtime/states/hook_state.h"
#include "runtime/states/visiting.h"
#include "runtime/steps/checkpoint.h"
#include "runtime/steps/thread_life.h"
#include "runtime/visible.h"
#include "runtime/world/decide_control.h"
#include "runtime/world/kept_output.h"
#include "runtime/world/opened_libraries.h"
#include "runtime/world/unseen_calls.h"
#include "runtime/world/world.h"

namespace heddle::search {

using namespace runtime;  // NOLINT: this file is where the target meets the runtime

namespace {

// What main's fiber runs.
void RunMain(void*) {
  if (g_program.body != nullptr) {
    g_program.body(g_program.body_argument);
    EndBody();
  }
  exit(g_program.main(g_program.argc, g_program.argv, g_program.envp));
}

// What heddle does for the first time (it meets an object, say) it does by other ways than later,
// and leaves something else behind on the stacks below the program's frames. A frame that takes
// that place later, and has variables that are not initialised, has it as part of the program's
// state. So the first execution of a process that is asked for its states is run twice.
bool ComparesStates(const plan::Plan& plan) { return plan.visiting.by != nullptr; }

}  // namespace

void FiberTarget::RunFromStart(const plan::Plan& plan) {
  ResetExecution();
  g_state.recording = plan.record;
  // From its beginning, not from the first mapping: a use is an event or none in all executions.
  g_state.memory_ends |= ChannelHeader().settings.maps_memory != 0;
  TakeUpVisible();
  BeginWeakExecution();
  BeginJointCycles(Visible().joint_cycles);
  FollowPlan(plan);
  BeginVisiting();
  if (g_state.hooks_only) RespectAtomicSections();
  BeginHooks();
  WorldBegin();
  g_state.checkpoint_from = g_first_checkpoint;
  checkpoints_.Begin(plan);
  Fiber& main = BeginMain(RunMain);
  if (g_state.kernel_threads) heddle_debugger_begin();
  RunFibers(main);
}

void FiberTarget::GoOn(const plan::Plan& plan) {
  WorldBegin();
  checkpoints_.Begin(plan);
  ResumeFibers();
}

const trace::Execution& FiberTarget::RunOnce(const plan::Plan& plan) {
  channel::Header& header = ChannelHeader();
  header.progress.heartbeat.store(header.progress.heartbeat.load(std::memory_order_relaxed) + 1,
                                  std::memory_order_relaxed);
  header.in_flight.store(1, std::memory_order_release);
  if (checkpoints_.GoBackFor(plan, execution_))
    GoOn(plan);
  else
    RunFromStart(plan);
  ReportOpenedLibraries();
  ConcludeUnseenCalls();
  header.in_flight.store(0, std::memory_order_release);
  ViewTrace(g_fiber_count, execution_);
  checkpoints_.End(execution_);
  return execution_;
}

const trace::Execution& FiberTarget::Run(const plan::Plan& plan) {
  for (;;) {
    timer_.Begin();
    const bool counts = !first_ || !ComparesStates(plan);
    const bool hides = !counts && ChannelHeader().settings.show_output != 0;
    if (hides) BeginDiscardingOutput();
    RunOnce(plan);
    if (hides) EndDiscardingOutput();
    if (g_state.kernel_threads) return execution_;  // the only one: there is no way back
    timer_.Ran();
    WorldRewind();
    RewindMemory();
    timer_.Restored();
    if (execution_.ending.kind != trace::EndKind::kRestart) {
      first_ = false;
      if (counts) return execution_;
      checkpoints_.Forget();
      continue;
    }
    if (RestartReason() == RestartFor::kProcess) return execution_;
    if (RestartReason() == RestartFor::kStacks) continue;
    checkpoints_.Forget();
    DropSnapshot();
    GrowPool(WantedThreads());
    TakeSnapshot();
  }
}

}  // namespace heddle::search
