#include "runtime/objects/spin_lock.h"

#include <errno.h>

namespace heddle::runtime {

Answer LockSpinLock(MutexState& lock, op::ThreadId self) {
  lock.owner = self;
  return {.acquires = Acquires::kReleased};
}

Answer TryLockSpinLock(MutexState& lock, op::ThreadId self) {
  return IsFree(lock) ? LockSpinLock(lock, self) : Refused(EBUSY);
}

Answer UnlockSpinLock(MutexState& lock, op::ThreadId self) {
  if (lock.owner != self) return Misused(Misuse::kNotLockedByIt);
  lock.owner = op::kNoThread;
  return {.releases = Releases::kAs};
}

Answer DestroySpinLock(const MutexState& lock) {
  return IsFree(lock) ? Answer{} : Misused(Misuse::kLockedBy, lock.owner);
}

}  // namespace heddle::runtime
