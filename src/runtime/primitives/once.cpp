#include "runtime/primitives/once.h"

#include "runtime/fibers/atoms.h"
#include "runtime/fibers/schedule.h"
#include "runtime/fibers/weak_events.h"
#include "runtime/objects/once.h"
#include "runtime/prim/glibc_layout.h"
#include "runtime/prim/unwinding.h"
#include "runtime/states/frame_snapshot.h"
#include "runtime/steps/perform.h"

namespace heddle::runtime {
namespace {

op::Operation EndOperation(const Object& once, uintptr_t pc) {
  return {.kind = op::Kind::kOnceEnd, .object = once.address, .pc = pc};
}

// By itself, as Begin.
__attribute__((noinline)) void Finish(Object& once, pthread_once_t* control, bool done,
                                      uintptr_t pc) {
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
    Finish(attempt.once, attempt.control, false, attempt.pc);
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
  Finish(attempt.once, attempt.control, true, attempt.pc);
}

}  // namespace

Object& FindOnce(uintptr_t address, bool done) {
  bool fresh;
  Object& once = FindObject(address, ObjectKind::kOnce, &fresh);
  if (fresh || (!IsRunning(once.once) && done != IsDone(once.once)))
    once.once = NewOnce(done, fresh && done);
  return once;
}

bool OnceBegin(Object& once, uintptr_t pc) {
  const op::Operation operation{.kind = op::Kind::kOnceBegin, .object = once.address, .pc = pc};
  const auto begin = [&] { return BeginOnce(once.once, Current().id); };
  return Perform(operation, once, begin).value != 0;
}

void OnceReachEnd(Object& once, uintptr_t pc) {
  Reach(EndOperation(once, pc), nullptr);
  BeginUse(EndOperation(once, pc), once);
}

void OnceFinish(Object& once, const uint8_t* flag, bool done, uintptr_t pc) {
  const op::Operation operation = EndOperation(once, pc);
  const Answer answer = EndOnce(once.once, done);
  if (flag == nullptr) return TakeEffect(operation, once, answer);
  // Two objects are released into: the record, and the memory of the flag.
  Fiber& self = Current();
  Touches both;
  both.Add(once, once.level, pc);
  both.Add(reinterpret_cast<uintptr_t>(flag), sizeof *flag, pc);
  if (__builtin_expect(g_state.weak, 0)) TellFlagOfOnce(self, both.ObjectOf(1));
  once.release.Assign(self.clock, g_state.bump);
  for (uint32_t i = 1; i < both.Count(); ++i) {
    Object& atom = both.ObjectOf(i);
    trace::EndSequences(atom.release, atom.heads, self.id, self.clock, g_state.bump);
  }
  BeginTick(self);
  CommitTouches(operation, both, answer.access, answer.value);
  Changed(once);
}

namespace {

// The record, if the routine is to be run; else null. By itself: while the routine runs, the frames
// that it was called from are part of the program's state, and what these steps leave in theirs
// depends on how the execution came there.
__attribute__((noinline)) Object* Begin(pthread_once_t* control, void (*init)(), uintptr_t pc) {
  Object& once = FindOnce(reinterpret_cast<uintptr_t>(control), *control == kOnceDone);
  if (once.once.always) {
    // Nobody could have come earlier and run the routine: no access, and no scheduling point. (The
    // unwinder of every thrown exception comes this way.)
    Commit({.kind = op::Kind::kOnceBegin, .object = once.address, .pc = pc}, &once,
           op::Access::kNone);
    return nullptr;
  }
  HashCallArgument(reinterpret_cast<uintptr_t>(init));
  return OnceBegin(once, pc) ? &once : nullptr;
}

// Its frame has nothing of what was there before.
__attribute__((noinline)) int BeginAndRun(pthread_once_t* control, void (*init)(), uintptr_t pc) {
  Object* const once = Begin(control, init, pc);
  if (once == nullptr) return 0;
  if (__builtin_expect(g_state.takes_states, 0)) ClearDeadStack();
  OnceAttempt attempt{*once, control, pc, Current().once_attempt};
  RunOnce(attempt, init);
  return 0;
}

}  // namespace

int Once(pthread_once_t* control, void (*init)(), uintptr_t pc) {
  if (__builtin_expect(g_state.takes_states, 0)) ClearDeadStack();
  return BeginAndRun(control, init, pc);
}

}  // namespace heddle::runtime
