#include "runtime/world/processes.h"

#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>

#include "runtime/fibers/table.h"
#include "runtime/objects/table.h"
#include "runtime/objects/without_memory.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/syscall.h"
#include "runtime/rewind_mode.h"
#include "runtime/runtime.h"
#include "runtime/steps/commit.h"
#include "runtime/steps/scheduler.h"
#include "runtime/world/child_locks.h"
#include "runtime/world/signal_actions.h"

namespace heddle::runtime {
namespace {

constexpr pid_t kFirstNumber = 5'000'000;  // the kernel's are below 2^22

[[HEDDLE_OF_EXECUTION]] bool has_children;  // the program made a process

pid_t RealProcess() { return static_cast<pid_t>(RawSyscall(SYS_getpid)); }

}  // namespace

void InitProcesses() { pthread_atfork(nullptr, nullptr, BecomeOrdinaryProcess); }

void RefuseWithStates(const char* what) {
  if (!g_state.takes_states) return;
  char text[200];
  snprintf(text, sizeof text, "%s with --visited states: what that changes is part of no state",
           what);
  EndExecution(trace::EndKind::kUnsupported, 0, 0, 0, "the program uses %s", text);
}

void NeedOwnProcess(const char* what) {
  RefuseWithStates(what);
  if (!RewindsByFork()) RequestForkRewind(what);
}

void NeedChildProcess(const char* what) {
  NeedOwnProcess(what);
  has_children = true;
}

void ReachProcessWait(bool looks_only, uintptr_t pc) {
  if (looks_only) NoteIncomplete(Incomplete::kChildProcess);
  if (!g_state.several_threads) return;
  const op::Operation wait = {
      .kind = op::Kind::kProcessWait, .object = kProcessesAddress, .pc = pc};
  Reach(wait, nullptr);
  Commit(wait, &FindObject(kProcessesAddress, ObjectKind::kWord), op::Access::kWrite);
}

bool HasChildProcesses() { return has_children; }

void BecomeOrdinaryProcess() {
  if (!InExecution()) return;
  HandLocksToChild();
  HandSignalsBack();
  g_state.in_execution = false;
}

pid_t ProcessNumber() { return RewindsByFork() ? RealProcess() : kFirstNumber; }

pid_t ThreadNumber() { return ProcessNumber() + static_cast<pid_t>(Current().id); }

pid_t KernelNumber(pid_t thread) {
  const pid_t first = ProcessNumber();
  return thread >= first && thread < first + static_cast<pid_t>(g_used_fibers) ? 0 : thread;
}

bool IsThisProcess(pid_t process) { return process == ProcessNumber() || process == RealProcess(); }

}  // namespace heddle::runtime
