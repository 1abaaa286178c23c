#include "runtime/objects/enabled.h"

#include "runtime/objects/mutex.h"
#include "runtime/objects/once.h"
#include "runtime/objects/rwlock.h"
#include "runtime/objects/semaphore.h"

namespace heddle::runtime {

op::Level LevelOf(const Object& object) {
  switch (object.kind) {
    case ObjectKind::kMutex:
    case ObjectKind::kSpinLock:
    case ObjectKind::kStream:
      return IsFree(object.mutex) ? 0 : 1;
    case ObjectKind::kRwLock:
      return object.rwlock.writer != op::kNoThread ? op::kWriterHolds : object.rwlock.readers;
    case ObjectKind::kSemaphore:
      return static_cast<op::Level>(object.semaphore.value);
    case ObjectKind::kOnce:
      return IsRunning(object.once) ? 1 : 0;
    case ObjectKind::kFree:
    case ObjectKind::kWord:
    case ObjectKind::kFutex:
    case ObjectKind::kCondition:
    case ObjectKind::kBarrier:
    case ObjectKind::kException:
    case ObjectKind::kThread:
    case ObjectKind::kStack:
    case ObjectKind::kProgram:
      return object.level;
  }
  __builtin_unreachable();
}

}  // namespace heddle::runtime
