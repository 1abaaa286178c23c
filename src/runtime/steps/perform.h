// How an operation on an object is done, from its scheduling point to its event:
//
//   Perform({.kind = ..., .object = ..., .pc = ...}, object, [&] { return LockMutex(...); })
//
// publishes it and waits until the thread is let go with it; asks the object's state machine
// (runtime/objects) what it does; ends the execution if that is a misuse; acquires and releases
// what the answer says; records the event; lets go whom it wakes; and looks again at who else is
// enabled.
#pragma once

#include <errno.h>

#include <cstddef>

#include "runtime/fibers/schedule.h"
#include "runtime/objects/answer.h"
#include "runtime/runtime.h"
#include "runtime/steps/commit.h"
#include "runtime/steps/object_use.h"
#include "runtime/steps/scheduler.h"

namespace heddle::runtime {

// The operation is a misuse of `object`, and ends the execution.
[[noreturn]] void EndByMisuse(const op::Operation& operation, const Object& object,
                              const Answer& answer);

// The barrier is open: all who stand before leaving learn what everybody did, and depend on that.
void LetLeave(Object& barrier);

// The operation found these waiters: from here on no time limit can take it away from them.
void LetGo(Waiter* woken);

// After the wait for `operation` has timed out: did its time limit pass? If the operation is
// enabled, it was a loop whose rounds have run out (run_out.h).
bool IsTooLate(const op::Operation& operation, const Object& object);

// What the language or POSIX guarantees of an operation on `object`. It releases first: who opens a
// barrier learns what the others know, and they what it knew before.
inline void Synchronise(Fiber& self, Object& object, const Answer& answer) {
  switch (answer.releases) {
    case Releases::kNothing:
      break;
    case Releases::kInto:
      ReleaseInto(self, object.release);
      break;
    case Releases::kAs:
      ReleaseAs(self, object.release);
      break;
    case Releases::kAsReader:
      ReleaseInto(self, object.reader_release);
      break;
  }
  if (answer.acquires == Acquires::kNothing) return;
  AcquireFrom(self, object.release);
  if (answer.acquires == Acquires::kReleased) return;
  AcquireFrom(self, object.reader_release);
  object.reader_release.Zero();  // from now on part of what this thread publishes
}

// The part that comes after the machine's answer. Inlined, so that what one machine never answers
// is not asked; as a function of its own it took nearly 2 % of a short search.
[[gnu::always_inline]] inline void TakeEffect(const op::Operation& operation, Object& object,
                                              const Answer& answer) {
  if (__builtin_expect(answer.misuse != Misuse::kNone, 0)) EndByMisuse(operation, object, answer);
  Synchronise(Current(), object, answer);
  Commit(operation, &object, answer.access, answer.value, answer.extra);
  if (__builtin_expect(answer.opens, 0)) LetLeave(object);
  if (__builtin_expect(answer.woken != nullptr, 0)) LetGo(answer.woken);
  if (answer.access != op::Access::kRead) Changed(object);
  EndUse(object, operation.pc);
}

// With a deadline (virtual nanoseconds) the operation may also time out: then it is ETIMEDOUT, and
// the machine is not asked. The same where a signal interrupts it: EINTR.
template <typename Machine>
[[gnu::always_inline]] inline Answer Perform(const op::Operation& operation, Object& object,
                                             Machine machine, const uint64_t* deadline = nullptr,
                                             Interrupts interrupts = Interrupts::kNever) {
  if (deadline != nullptr) Current().deadline = *deadline;
  const bool timed = deadline != nullptr;
  const Wake wake = interrupts == Interrupts::kNever
                        ? Reach(operation, &object, timed)
                        : ReachInCall(operation, &object, timed, interrupts);
  if (interrupts != Interrupts::kNever && wake == Wake::kInterrupted) return Refused(EINTR);
  BeginUse(operation, object);
  if (deadline != nullptr && wake == Wake::kTimedOut && IsTooLate(operation, object)) {
    Commit(operation, &object, op::Access::kRead, ETIMEDOUT, 1);
    EndUse(object, operation.pc);
    return Refused(ETIMEDOUT);
  }
  const Answer answer = machine();
  TakeEffect(operation, object, answer);
  return answer;
}

// Commits an operation that accesses memory, not an object itself: `bytes` at operation.object and,
// if it writes, at operation.object2, if it has one. There are no misuses of it.
void CommitOnMemory(const op::Operation& operation, size_t bytes, const Answer& answer);

}  // namespace heddle::runtime
