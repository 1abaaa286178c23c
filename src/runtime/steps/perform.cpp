#include "runtime/steps/perform.h"

#include <utility>

#include "runtime/bounded_text.h"
#include "runtime/fibers/atoms.h"
#include "runtime/fibers/schedule.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/fibers/weak_events.h"
#include "runtime/objects/enabled.h"
#include "runtime/objects/life.h"
#include "runtime/steps/program_end.h"

namespace heddle::runtime {

void LetLeave(Object& barrier) {
  for (Fiber* fiber = barrier.pending_threads; fiber != nullptr; fiber = fiber->next_pending) {
    if (fiber->pending.kind != op::Kind::kBarrierLeave) continue;
    if (fiber->pending.operand + 1 != barrier.barrier.round) continue;  // of an earlier round
    AcquireFrom(*fiber, barrier.release);
    fiber->wake_hash += LastEventHash();
  }
}

bool IsTooLate(const op::Operation& operation, const Object& object) {
  return !IsEnabled(operation, &object, Current().id, [] { return false; });
}

void LetGo(Waiter* woken) {
  while (woken != nullptr) {
    Fiber& fiber = FiberAt(woken->thread);
    woken = std::exchange(woken->next, nullptr);
    if (fiber.pending.kind == op::Kind::kCondReacquire) {
      // If it never gets the mutex, it was the mutex that it waited for (explore/order/ends.h).
      fiber.timed = fiber.signal_late;
      uint8_t& detail = g_trace->pending[fiber.id].detail;
      detail = kStoppedWaiting | (detail & op::kWaitEnds);
    }
    if (__builtin_expect(g_state.weak, 0) && fiber.pending.kind == op::Kind::kFutexWoken)
      TellWoken(fiber.id);
    WakeWithHash(fiber, Wake::kSignalled, LastEventHash());
  }
}

void CommitOnMemory(const op::Operation& operation, size_t bytes, const Answer& answer) {
  const bool one = operation.object2 == 0 || operation.object2 == operation.object;
  if (one || answer.access == op::Access::kRead)
    return CommitOnMemory(operation, operation.object, bytes, answer.access, answer.value,
                          answer.extra);
  Touches both;
  both.Add(operation.object, bytes, operation.pc);
  both.Add(operation.object2, bytes, operation.pc);
  CommitTouches(operation, both, answer.access, answer.value, answer.extra);
}

void EndByMisuse(const op::Operation& operation, const Object& object, const Answer& answer) {
  const op::ThreadId self = Current().id;
  char message[sizeof(trace::Ending::message)];
  BoundedText text = {message, message + sizeof message};
  text.Add("%%T%u%% %s", self, op::Info(operation.kind).text);
  if (op::FamilyOf(operation.kind) == op::Family::kObject) text.Add(" %s", NounOf(object.kind));
  text.Add(" %%O%lx%%", object.address);
  switch (answer.misuse) {
    case Misuse::kNone:
      break;
    case Misuse::kNotLocked:
      text.Add(", which is not locked");
      break;
    case Misuse::kNotLockedByIt:
      text.Add(", which it has not locked");
      break;
    case Misuse::kLockedBy:
      text.Add(", which %%T%u%% has locked", answer.other);
      break;
    case Misuse::kInitialisedSince:
      text.Add(", which was initialised at %%L%lx%% while %%T%u%% had locked it", object.making->pc,
               self);
      break;
    case Misuse::kLocked:
      text.Add(" while it is locked");
      break;
    case Misuse::kWaitedAt:
      text.Add(" while others wait at it");
      break;
    case Misuse::kWaitedOn:
      text.Add(" while %%T%u%% waits on it", answer.other);
      break;
    case Misuse::kMutexNotLockedByIt:
      text.Add(" with mutex %%O%lx%%, which it has not locked", operation.object2);
      break;
    case Misuse::kOtherMutex:
      text.Add(" with mutex %%O%lx%% while %%T%u%% waits on it with mutex %%O%lx%%",
               operation.object2, answer.other, FiberAt(answer.other).waiter.with);
      break;
  }
  EndByMisuse(object.address, operation.pc, "%s", message);
}

}  // namespace heddle::runtime
