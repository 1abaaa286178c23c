// What include/heddle.h and include/heddle.hpp call.

#include <sched.h>
#include <string.h>

#include "runtime/export.h"
#include "runtime/fibers/invariants.h"
#include "runtime/fibers/schedule.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/prim/copy.h"
#include "runtime/primitives/semaphore.h"
#include "runtime/runtime.h"
#include "runtime/states/hook_state.h"
#include "runtime/steps/choice_point.h"
#include "runtime/steps/commit.h"
#include "runtime/steps/program_end.h"
#include "runtime/steps/scheduler.h"
#include "runtime/world/ask_heddle.h"
#include "runtime/world/check_call.h"
#include "runtime/world/decide_control.h"
#include "runtime/world/termination.h"
#include "search/take_over.h"

using namespace heddle::runtime;  // NOLINT
using heddle::op::Access;
using heddle::op::Kind;

extern "C" {

HEDDLE_EXPORT void heddle_outcome_(const char* label);
HEDDLE_EXPORT unsigned heddle_choose_(unsigned options);
HEDDLE_EXPORT void heddle_assume_(int condition);
HEDDLE_EXPORT void heddle_hook_(void);
HEDDLE_EXPORT void heddle_done_(void);
HEDDLE_EXPORT void heddle_shared_(const void* begin, size_t bytes);
HEDDLE_EXPORT void heddle_up_(unsigned char* semaphore);
HEDDLE_EXPORT void heddle_down_(unsigned char* semaphore);
HEDDLE_EXPORT void heddle_atomic_begin_(void);
HEDDLE_EXPORT void heddle_atomic_end_(void);
HEDDLE_EXPORT void heddle_invariant_(int (*holds)(void*), void* argument);
HEDDLE_EXPORT char* heddle_check_(void (*body)(void*), void* argument, const char* place,
                                  const char* const* options, const char* const* test_arguments,
                                  size_t* bytes);

void heddle_outcome_(const char* label) {
  if (!InExecution()) return;
  const size_t length = strnlen(label, sizeof g_trace->outcome - 1);
  CopyForward(g_trace->outcome, label, length);
  g_trace->outcome[length] = '\0';
}

unsigned heddle_choose_(unsigned options) {
  if (!InExecution() || options <= 1) return 0;
  // A step of its own: what other accesses the step made that the choice lies in would else depend
  // on the option.
  const heddle::op::Operation operation = {
      .kind = Kind::kChoose, .operand = options, .pc = HEDDLE_CALLER};
  Reach(operation, nullptr);
  const unsigned choice = ChooseOption(heddle::trace::ChoiceKind::kValue, options);
  Commit(operation, nullptr, Access::kNone, choice, choice + 1);
  ++Current().changes;
  return choice;
}

void heddle_assume_(int condition) {
  if (!InExecution() || condition != 0) return;
  EndByAssumption(HEDDLE_CALLER);
}

void heddle_hook_(void) {
  if (!InExecution()) return;
  const heddle::op::Operation operation = {.kind = Kind::kHook, .pc = HEDDLE_CALLER};
  ++g_trace->hooks;
  ++Current().hooks;
  Current().events_at_hook = Current().events;
  Reach(operation, nullptr);
  Commit(operation, nullptr, Access::kNone);
}

// Others may run just before it. So what comes after it is no part of an earlier step, of which it
// may depend on what that finds whether it comes at all.
void heddle_done_() {
  if (!InExecution() || Current().done) return;
  const heddle::op::Operation operation = {.kind = Kind::kDone, .pc = HEDDLE_CALLER};
  Reach(operation, nullptr);
  Current().done = true;
  RespectAtomicSections();
  Commit(operation, nullptr, Access::kNone);
}

void heddle_shared_(const void* begin, size_t bytes) {
  if (!InExecution()) return;
  const uintptr_t pc = HEDDLE_CALLER;
  if (!NoteShared(reinterpret_cast<uintptr_t>(begin), bytes))
    EndByMisuse(0, pc, "%%T%u%% calls heddle_shared more than %u times", Current().id, kMostRanges);
}

void heddle_up_(unsigned char* semaphore) {
  if (InExecution()) return SemRaise(semaphore, HEDDLE_CALLER);
  while (__atomic_exchange_n(semaphore, 1, __ATOMIC_ACQUIRE) != 0) sched_yield();
}

void heddle_down_(unsigned char* semaphore) {
  if (InExecution()) return SemLower(semaphore, HEDDLE_CALLER);
  __atomic_store_n(semaphore, 0, __ATOMIC_RELEASE);
}

// Others may run just before the section, so its begin is a scheduling point.
void heddle_atomic_begin_() {
  if (!InExecution()) return;
  Fiber& self = Current();
  if (self.atomic_depth != 0) {
    ++self.atomic_depth;
    return;
  }
  const heddle::op::Operation operation = {.kind = Kind::kAtomicBegin, .pc = HEDDLE_CALLER};
  Reach(operation, nullptr);
  self.atomic_depth = 1;
  RespectAtomicSections();
  Commit(operation, nullptr, Access::kNone);
}

void heddle_atomic_end_() {
  if (!InExecution()) return;
  Fiber& self = Current();
  if (self.atomic_depth == 0)
    EndByMisuse(0, HEDDLE_CALLER, "%%T%u%% ends an atomic section that it has not begun", self.id);
  if (--self.atomic_depth == 0)
    Commit({.kind = Kind::kAtomicEnd, .pc = HEDDLE_CALLER}, nullptr, Access::kNone);
}

void heddle_invariant_(int (*holds)(void*), void* argument) {
  if (InExecution()) AddInvariant(holds, argument);
}

// In an execution, which others explore, the body is a part of it.
char* heddle_check_(void (*body)(void*), void* argument, const char* place,
                    const char* const* options, const char* const* test_arguments, size_t* bytes) {
  if (InExecution()) {
    body(argument);
    return AnswerOfVerdict('p', bytes);
  }
  if (!IsFirstProcess()) return AnswerOfVerdict('e', bytes);  // nobody could come there again
  if (!Controlled()) return AskHeddle({place, options, test_arguments}, bytes);
  const char letter = CheckCalled(body, argument, place, HEDDLE_CALLER);
  if (letter == 0) LeaveStackFor(heddle::search::TakeOver);
  return AnswerOfVerdict(letter, bytes);
}

}  // extern "C"
