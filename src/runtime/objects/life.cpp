#include "runtime/objects/life.h"

namespace heddle::runtime {

const char* NounOf(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::kMutex:
      return "mutex";
    case ObjectKind::kCondition:
      return "condition variable";
    case ObjectKind::kRwLock:
      return "read-write lock";
    case ObjectKind::kSemaphore:
      return "semaphore";
    case ObjectKind::kBarrier:
      return "barrier";
    case ObjectKind::kSpinLock:
      return "spin lock";
    case ObjectKind::kStream:
      return "stream";
    case ObjectKind::kFree:
    case ObjectKind::kWord:
    case ObjectKind::kFutex:
    case ObjectKind::kOnce:
    case ObjectKind::kException:
    case ObjectKind::kThread:
    case ObjectKind::kStack:
    case ObjectKind::kProgram:
      return "location";
  }
  __builtin_unreachable();
}

}  // namespace heddle::runtime
