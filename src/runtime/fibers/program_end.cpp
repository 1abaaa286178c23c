#include "runtime/fibers/program_end.h"

#include "runtime/fibers/thread_life.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/runtime.h"

namespace heddle::runtime {

void ReachProgramEnd(uintptr_t pc) {
  Fiber& self = Current();
  if (LiveThreads() < 2 || self.atomic_depth != 0) return;
  const TraceBuffers& t = *g_trace;
  if (t.event_count != 0) {
    const trace::Event& last = t.events[t.event_count - 1];
    if (last.kind == op::Kind::kProgramExit && last.thread == self.id) return;
  }
  constexpr uintptr_t kProgramAddress = 1;
  Object& program = FindObject(kProgramAddress, ObjectKind::kProgram);
  const op::Operation operation = {.kind = op::Kind::kProgramExit, .pc = pc};
  self.yielding = true;
  Reach(operation, &program);
  self.yielding = false;
  Commit(operation, &program, op::Access::kWrite);
}

}  // namespace heddle::runtime
