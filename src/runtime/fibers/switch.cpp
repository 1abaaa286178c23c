#include "runtime/fibers/switch.h"

#include "runtime/debugger.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/prim/lifetime.h"
#include "runtime/visible.h"

namespace heddle::runtime {
namespace {

[[HEDDLE_LASTS("the loop around executions")]] void* loop_stack_pointer;
[[HEDDLE_LASTS("as above")]] uintptr_t loop_thread_pointer;

}  // namespace

void SwitchToLoop() {
  void* abandoned;
  heddle_switch_context(&abandoned, loop_stack_pointer, loop_thread_pointer);
  __builtin_unreachable();
}

void RunFibers(Fiber& main_fiber) {
  g_state.current = &main_fiber;
  main_fiber.state = FiberState::kRunning;
  g_state.in_execution = true;
  loop_thread_pointer = ReadThreadPointer();
  if (g_state.kernel_threads) BeginOnKernelThreads(main_fiber);
  heddle_switch_context(&loop_stack_pointer, main_fiber.stack_pointer, main_fiber.thread_pointer);
}

void ResumeFibers() {
  const Fiber& current = Current();
  g_state.in_execution = true;
  loop_thread_pointer = ReadThreadPointer();
  heddle_switch_context(&loop_stack_pointer, current.stack_pointer, current.thread_pointer);
}

void LeaveToLoop() {
  trace::EndKind& kind = g_trace->ending.kind;
  const trace::EndClass what = trace::ClassOf(kind);
  const bool of_use = what != trace::EndClass::kInternal && what != trace::EndClass::kUncontrolled;
  if (of_use && EndsAsGrown()) kind = trace::EndKind::kNeedsMorePoints;
  if (g_state.kernel_threads) DebuggerAtEnd();
  g_state.in_execution = false;
  if (g_state.kernel_threads) HandOverToLoop(Current());
  SwitchToLoop();
}

}  // namespace heddle::runtime
