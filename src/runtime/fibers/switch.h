// From one thread's stack to another's, and between them and the loop around executions.
#pragma once

#include "runtime/fibers/fiber.h"
#include "runtime/fibers/kernel_threads.h"
#include "runtime/prim/context.h"
#include "runtime/runtime.h"

namespace heddle::runtime {

// Leaves the program for the loop that called RunFibers; the execution is over.
[[noreturn]] void LeaveToLoop();

// Runs `main_fiber` and whatever it creates, until somebody calls LeaveToLoop.
void RunFibers(Fiber& main_fiber);

// Goes on with the threads as RestoreExecution left them, until somebody calls LeaveToLoop.
void ResumeFibers();

// From main's fiber to the loop around executions, on the same kernel thread.
[[noreturn]] void SwitchToLoop();

// Goes on with `to`; returns when somebody goes on with `from`.
inline void SwitchTo(Fiber& from, Fiber& to) {
  g_state.current = &to;
  if (__builtin_expect(g_state.kernel_threads, 0)) {
    if (HandOver(from, to)) SwitchToLoop();
    return;
  }
  heddle_switch_context(&from.stack_pointer, to.stack_pointer, to.thread_pointer);
}

}  // namespace heddle::runtime
