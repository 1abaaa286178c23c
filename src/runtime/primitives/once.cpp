#include "runtime/primitives/once.h"

#include "runtime/fibers/atoms.h"
#include "runtime/prim/glibc_layout.h"
#include "runtime/prim/unwinding.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

enum Phase : uint8_t { kNotBegun, kRunning, kDone };

op::Operation EndOperation(const Object& once, uintptr_t pc) {
  return {.kind = op::Kind::kOnceEnd, .object = once.address, .pc = pc};
}

void EndOnce(Object& once, pthread_once_t* control, bool done, uintptr_t pc) {
  OnceReachEnd(once, pc);
  *control = done ? kOnceDone : kOnceNotBegun;
  OnceFinish(once, nullptr, done, pc);
}

}  // namespace

// A routine that the thread is in; the one that it came from is behind it.
struct OnceAttempt {
  Object& once;
  pthread_once_t* control;
  uintptr_t pc;
  OnceAttempt* outer;
};

// The unwinder passes the innermost RunOnce of the running thread.
extern "C" __attribute__((used, visibility("hidden"))) _Unwind_Reason_Code HeddleOnceUnwound(
    int, _Unwind_Action actions, _Unwind_Exception_Class, _Unwind_Exception*, _Unwind_Context*) {
  if ((actions & _UA_CLEANUP_PHASE) != 0) {
    const OnceAttempt& attempt = *Current().once_attempt;
    Current().once_attempt = attempt.outer;
    EndOnce(attempt.once, attempt.control, false, attempt.pc);
  }
  return _URC_CONTINUE_UNWIND;
}

namespace {

__attribute__((noinline)) void RunOnce(OnceAttempt& attempt, void (*init)()) {
  HEDDLE_UNWIND_NOTICE(HeddleOnceUnwound);
  *attempt.control = kOnceRunning;
  Current().once_attempt = &attempt;
  init();
  Current().once_attempt = attempt.outer;
  EndOnce(attempt.once, attempt.control, true, attempt.pc);
}

}  // namespace

Object& FindOnce(uintptr_t address, bool done) {
  bool fresh;
  Object& once = FindObject(address, ObjectKind::kOnce, &fresh);
  if (fresh || (once.once.phase != kRunning && done != (once.once.phase == kDone)))
    once.once = {
        .phase = done ? kDone : kNotBegun, .always = fresh && done, .runner = op::kNoThread};
  return once;
}

bool OnceBegin(Object& once, uintptr_t pc) {
  const op::Operation operation{.kind = op::Kind::kOnceBegin, .object = once.address, .pc = pc};
  Reach(operation, &once);
  Fiber& self = Current();
  AcquireFrom(self, once.release);
  if (once.once.phase == kDone) {
    Commit(operation, &once, op::Access::kRead);
    return false;
  }
  once.once = {.phase = kRunning, .always = false, .runner = self.id};
  Commit(operation, &once, op::Access::kWrite, 1);
  Changed(once);
  return true;
}

void OnceReachEnd(Object& once, uintptr_t pc) { Reach(EndOperation(once, pc), nullptr); }

void OnceFinish(Object& once, const uint8_t* flag, bool done, uintptr_t pc) {
  Fiber& self = Current();
  once.once = {.phase = done ? kDone : kNotBegun, .always = false, .runner = op::kNoThread};
  if (flag == nullptr) {
    ReleaseAs(self, once.release);
    Commit(EndOperation(once, pc), &once, op::Access::kWrite, done);
  } else {
    Touches both;
    both.Add(once, once.level, pc);
    both.Add(reinterpret_cast<uintptr_t>(flag), sizeof *flag, pc);
    once.release.Assign(self.clock, g_state.bump);
    for (uint32_t i = 1; i < both.Count(); ++i) {
      Object& atom = both.ObjectOf(i);
      trace::EndSequences(atom.release, atom.heads, self.id, self.clock, g_state.bump);
    }
    BeginTick(self);
    CommitTouches(EndOperation(once, pc), both, op::Access::kWrite, done);
  }
  Changed(once);
}

int Once(pthread_once_t* control, void (*init)(), uintptr_t pc) {
  Object& once = FindOnce(reinterpret_cast<uintptr_t>(control), *control == kOnceDone);
  if (once.once.always) {
    // Nobody could have come earlier and run the routine: no access, and no scheduling point. (The
    // unwinder of every thrown exception comes this way.)
    Commit({.kind = op::Kind::kOnceBegin, .object = once.address, .pc = pc}, &once,
           op::Access::kNone);
    return 0;
  }
  if (!OnceBegin(once, pc)) return 0;
  OnceAttempt attempt{once, control, pc, Current().once_attempt};
  RunOnce(attempt, init);
  return 0;
}

}  // namespace heddle::runtime
