#include "runtime/steps/program_end.h"

#include <stdarg.h>
#include <stdio.h>

#include "runtime/fibers/table.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/objects/without_memory.h"
#include "runtime/runtime.h"
#include "runtime/steps/commit.h"
#include "runtime/steps/scheduler.h"

namespace heddle::runtime {
namespace {

Object& TheProgram() { return FindObject(kProgramAddress, ObjectKind::kProgram); }

// Is there a thread that the end of the program leaves behind, or would in another order? Those
// that were joined had finished before this one came here, in every order: it joined them, or one
// that it joined did.
bool MayLeaveThreads(const Fiber& self) {
  if (LiveThreads() > 1) return true;
  if (!g_state.thread_finishes || LiveThreads() == 0) return false;
  for (uint32_t id = 0; id < g_used_fibers; ++id) {
    const Fiber& other = g_fibers[id];
    if (&other != &self && other.state != FiberState::kUnused && !other.joined) return true;
  }
  return false;
}

}  // namespace

// It is enough that the end of the program depends on these. What it leaves behind is judged by
// which threads have finished (IsLeft, world/leftovers.cpp), and the objects only where all have:
// so nothing that another thread does before its last operation changes a verdict if it comes
// before the end of the program or is left out. That operation is in a step of the thread's own,
// because to start and to join are steps (StartAsStep, JoinThread): in the step of another thread
// it would be hidden from whoever looks only at what this one does.
void FinishLastStep() {
  if (!g_state.thread_finishes) return;
  Commit({.kind = op::Kind::kThreadFinish}, &TheProgram(), op::Access::kShared);
}

void ReachProgramEnd(uintptr_t pc) {
  Fiber& self = Current();
  if (!MayLeaveThreads(self)) return;
  if (self.atomic_depth != 0) {
    if (g_state.thread_finishes) NoteIncomplete(Incomplete::kEndedSection);
    return;
  }
  const TraceBuffers& t = *g_trace;
  if (t.event_count != 0) {
    const trace::Event& last = t.events[t.event_count - 1];
    if (last.kind == op::Kind::kProgramExit && last.thread == self.id) return;
  }
  Object& program = TheProgram();
  const op::Operation operation = {.kind = op::Kind::kProgramExit, .pc = pc};
  self.yielding = true;
  Reach(operation, &program);
  self.yielding = false;
  Commit(operation, &program, op::Access::kWrite);
}

void EndByMisuse(uintptr_t address, uintptr_t pc, const char* format, ...) {
  char message[sizeof(trace::Ending::message)];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  CommitAttempt();
  ReachProgramEnd(pc);
  EndExecution(trace::EndKind::kMisuse, 0, address, pc, "%s", message);
}

}  // namespace heddle::runtime
