#include "runtime/fibers/perform.h"

#include "runtime/bounded_text.h"
#include "runtime/objects/life.h"

namespace heddle::runtime {

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
  }
  EndByMisuse(object.address, operation.pc, "%s", message);
}

}  // namespace heddle::runtime
