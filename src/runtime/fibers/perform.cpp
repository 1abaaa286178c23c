#include "runtime/fibers/perform.h"

#include "runtime/bounded_text.h"
#include "runtime/objects/life.h"

namespace heddle::runtime {

void LetLeave(Object& barrier) {
  for (Fiber* fiber = barrier.pending_threads; fiber != nullptr; fiber = fiber->next_pending) {
    if (fiber->pending.kind != op::Kind::kBarrierLeave) continue;
    if (fiber->pending.operand + 1 != barrier.barrier.round) continue;  // of an earlier round
    AcquireFrom(*fiber, barrier.release);
    fiber->wake_hash += LastEventHash();
  }
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
  }
  EndByMisuse(object.address, operation.pc, "%s", message);
}

}  // namespace heddle::runtime
