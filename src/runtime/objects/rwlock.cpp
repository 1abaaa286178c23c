#include "runtime/objects/rwlock.h"

#include <errno.h>

namespace heddle::runtime {
namespace {

ReadHold* HoldOf(const RwLockState& lock, op::ThreadId thread) {
  ReadHold* hold = lock.holds;
  while (hold != nullptr && hold->thread != thread) hold = hold->next;
  return hold;
}

void AddHold(RwLockState& lock, op::ThreadId thread, trace::Bump& bump) {
  ReadHold* hold = HoldOf(lock, thread);
  if (hold == nullptr) {
    hold = static_cast<ReadHold*>(bump.Take(sizeof(ReadHold)));
    *hold = {thread, 0, lock.holds};
    lock.holds = hold;
  }
  ++hold->count;
  ++lock.readers;
}

bool HasNoWriter(const RwLockState& lock) { return lock.writer == op::kNoThread; }

bool IsFreeFor(const RwLockState& lock, RwSide side) {
  return HasNoWriter(lock) && (side == RwSide::kRead || lock.readers == 0);
}

Answer Take(RwLockState& lock, RwSide side, op::ThreadId self, trace::Bump& bump) {
  if (side == RwSide::kRead) {
    AddHold(lock, self, bump);
    return {.access = op::Access::kShared, .acquires = Acquires::kReleased};
  }
  lock.writer = self;
  return {.acquires = Acquires::kReadersToo};
}

}  // namespace

RwLockState FreeRwLock() { return {.writer = op::kNoThread, .readers = 0, .holds = nullptr}; }

bool CanLock(const RwLockState& lock, RwSide side, op::ThreadId self) {
  return IsFreeFor(lock, side) || lock.writer == self;
}

Answer LockRwLock(RwLockState& lock, RwSide side, op::ThreadId self, trace::Bump& bump) {
  return lock.writer == self ? Refused(EDEADLK) : Take(lock, side, self, bump);
}

Answer TryLockRwLock(RwLockState& lock, RwSide side, op::ThreadId self, trace::Bump& bump) {
  return IsFreeFor(lock, side) ? Take(lock, side, self, bump) : Refused(EBUSY);
}

bool Holds(const RwLockState& lock, op::ThreadId self) {
  const ReadHold* hold = HoldOf(lock, self);
  return lock.writer == self || (hold != nullptr && hold->count != 0);
}

Answer UnlockRwLock(RwLockState& lock, op::ThreadId self) {
  if (!Holds(lock, self)) return Misused(Misuse::kNotLockedByIt);
  if (lock.writer == self) {
    lock.writer = op::kNoThread;
    return {.releases = Releases::kAs};
  }
  --HoldOf(lock, self)->count;
  --lock.readers;
  return {.access = op::Access::kShared, .releases = Releases::kAsReader};
}

Answer DestroyRwLock(const RwLockState& lock) {
  return HasNoWriter(lock) && lock.readers == 0 ? Answer{} : Misused(Misuse::kLocked);
}

}  // namespace heddle::runtime
