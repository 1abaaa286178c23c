// The program ends itself. One line a symbol; world/termination.h has what they do. exit() is
// libc's own after the running thread's destructors: its list of handlers ends in ours
// (control.cpp), which ends the execution.

#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/export.h"
#include "runtime/fibers/invariants.h"
#include "runtime/fibers/table.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/real.h"
#include "runtime/runtime.h"
#include "runtime/steps/frames.h"
#include "runtime/steps/no_progress.h"
#include "runtime/steps/program_end.h"
#include "runtime/steps/thread_life.h"
#include "runtime/world/kept_output.h"
#include "runtime/world/leaks.h"
#include "runtime/world/signals.h"
#include "runtime/world/static_objects.h"
#include "runtime/world/termination.h"

using namespace heddle::runtime;  // NOLINT: this file defines libc's names in terms of ours

namespace {

// Threads that are still running may do more before the end takes them along.
void ReachEnd(uintptr_t pc) {
  NoteFrame(Current(), pc);
  if (LiveThreads() < 2) return;
  ReachProgramEnd(pc);
  EndIfThreadsWaitInCircle();
}

// The handler of SIGABRT, if the program has one, runs first, and may leave by a jump.
[[noreturn]] void Abort(uintptr_t pc) {
  Raise(SIGABRT, pc);
  ReachProgramEnd(pc);
  EndByAbort(pc);
}

// The thread that runs the exit handlers. Another one that calls exit() meanwhile must not come to
// the end of their list, where libc ends the process.
[[HEDDLE_OF_EXECUTION]] heddle::op::ThreadId exiting = heddle::op::kNoThread;

void BeginExit(int status, uintptr_t pc) {
  const heddle::op::ThreadId self = Current().id;
  if (exiting != heddle::op::kNoThread && exiting != self) EndByExit(status, pc);
  exiting = self;
  NoteExit(pc);
}

}  // namespace

extern "C" {

HEDDLE_EXPORT void exit(int status) noexcept {
  if (InExecution()) {
    __builtin_unwind_init();  // the registers of who calls it are on its frame
    constexpr uintptr_t kRegisters = 64;
    NoteExitFrame(reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) - kRegisters);
    HashCallArgument(static_cast<uint64_t>(status));
    ReachEnd(HEDDLE_CALLER);
    BeginExit(status, HEDDLE_CALLER);
    CheckInvariants();
    RunTlsDestructors(Current());
  }
  Real<&exit>("exit")(status);
  __builtin_unreachable();
}

HEDDLE_EXPORT void _exit(int status) {
  if (InExecution()) {
    HashCallArgument(static_cast<uint64_t>(status));
    ReachEnd(HEDDLE_CALLER);
    EndByExit(status, HEDDLE_CALLER);
  }
  Real<&_exit>("_exit")(status);
  __builtin_unreachable();
}

HEDDLE_EXPORT void _Exit(int status) noexcept {
  if (InExecution()) {
    HashCallArgument(static_cast<uint64_t>(status));
    ReachEnd(HEDDLE_CALLER);
    EndByExit(status, HEDDLE_CALLER);
  }
  Real<&_Exit>("_Exit")(status);
  __builtin_unreachable();
}

HEDDLE_EXPORT void quick_exit(int status) noexcept {
  if (InExecution()) {
    HashCallArgument(static_cast<uint64_t>(status));
    ReachEnd(HEDDLE_CALLER);
    QuickExit(status, HEDDLE_CALLER);
  }
  Real<&quick_exit>("quick_exit")(status);
  __builtin_unreachable();
}

// at_quick_exit is a part of every program that calls it, and calls this.
int __cxa_at_quick_exit(void (*handler)(void*), void* module) noexcept;
HEDDLE_EXPORT int __cxa_at_quick_exit(void (*handler)(void*), void* module) noexcept {
  if (Controlled()) AtQuickExit(handler, nullptr);
  return Real<&__cxa_at_quick_exit>("__cxa_at_quick_exit")(handler, module);
}

// atexit is a part of every program that calls it, and calls this, without an object.
int __cxa_atexit(void (*handler)(void*), void* object, void* module) noexcept;
HEDDLE_EXPORT int __cxa_atexit(void (*handler)(void*), void* object, void* module) noexcept {
  return RegisterDestructor(handler, object, module, Real<&__cxa_atexit>("__cxa_atexit"));
}

HEDDLE_EXPORT void abort() noexcept {
  if (InExecution()) Abort(HEDDLE_CALLER);
  Real<&abort>("abort")();
  __builtin_unreachable();
}

HEDDLE_EXPORT void __assert_fail(const char* expression, const char* file, unsigned line,
                                 const char* function) noexcept {
  if (InExecution()) EndByAssertion(expression, file, line, function, HEDDLE_CALLER);
  Real<&__assert_fail>("__assert_fail")(expression, file, line, function);
  __builtin_unreachable();
}

HEDDLE_EXPORT void __assert_perror_fail(int error, const char* file, unsigned line,
                                        const char* function) noexcept {
  if (InExecution()) EndByAssertion(strerror(error), file, line, function, HEDDLE_CALLER);
  Real<&__assert_perror_fail>("__assert_perror_fail")(error, file, line, function);
  __builtin_unreachable();
}

HEDDLE_EXPORT void __assert(const char* expression, const char* file, int line) noexcept {
  if (InExecution())
    EndByAssertion(expression, file, static_cast<unsigned>(line), nullptr, HEDDLE_CALLER);
  Real<&__assert>("__assert")(expression, file, line);
  __builtin_unreachable();
}

[[noreturn]] void __stack_chk_fail();
HEDDLE_EXPORT void __stack_chk_fail() {
  if (InExecution()) {
    ReachProgramEnd(HEDDLE_CALLER);
    NoteEndOfOutput(Current().id);
    EndExecution(heddle::trace::EndKind::kAbort, SIGABRT, 0, HEDDLE_CALLER,
                 "stack smashing detected: a local array was overrun");
  }
  Real<&__stack_chk_fail>("__stack_chk_fail")();
  __builtin_unreachable();
}

[[noreturn]] void __chk_fail();
HEDDLE_EXPORT void __chk_fail() {
  if (InExecution()) {
    ReachProgramEnd(HEDDLE_CALLER);
    NoteEndOfOutput(Current().id);
    EndExecution(heddle::trace::EndKind::kAbort, SIGABRT, 0, HEDDLE_CALLER,
                 "buffer overflow detected by a checked library function");
  }
  Real<&__chk_fail>("__chk_fail")();
  __builtin_unreachable();
}

}  // extern "C"
