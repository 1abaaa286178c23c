#include "runtime/objects/mutex.h"

#include <errno.h>
#include <pthread.h>

namespace heddle::runtime {
namespace {

bool Nests(const MutexState& mutex, op::ThreadId self) {
  return mutex.owner == self && mutex.type == PTHREAD_MUTEX_RECURSIVE;
}

Answer Take(MutexState& mutex, op::ThreadId self) {
  int status = 0;
  if (mutex.unrecoverable) {
    status = ENOTRECOVERABLE;
    return {.status = status, .value = static_cast<uint64_t>(status)};
  }
  mutex.owner = self;
  mutex.count = 1;
  if (mutex.owner_died) status = EOWNERDEAD;
  return {
      .acquires = Acquires::kReleased, .status = status, .value = static_cast<uint64_t>(status)};
}

Answer Release(MutexState& mutex) {
  mutex.owner = op::kNoThread;
  mutex.count = 0;
  if (mutex.owner_died) mutex.unrecoverable = true;  // unlocked without pthread_mutex_consistent
  return {.releases = Releases::kAs};
}

}  // namespace

MutexState FreeMutex() {
  return {.owner = op::kNoThread,
          .count = 0,
          .type = PTHREAD_MUTEX_NORMAL,
          .robust = false,
          .owner_died = false,
          .unrecoverable = false,
          .ousted = op::kNoThread};
}

bool Checks(const MutexState& mutex) { return mutex.type != PTHREAD_MUTEX_NORMAL || mutex.robust; }

Answer LockMutex(MutexState& mutex, op::ThreadId self) {
  if (Nests(mutex, self)) {
    ++mutex.count;
    return {};
  }
  if (mutex.owner == self) return {.status = EDEADLK, .value = EDEADLK};
  return Take(mutex, self);
}

Answer TryLockMutex(MutexState& mutex, op::ThreadId self) {
  return IsFree(mutex) || Nests(mutex, self) ? LockMutex(mutex, self) : Refused(EBUSY);
}

Answer UnlockMutex(MutexState& mutex, op::ThreadId self) {
  if (mutex.owner != self) {
    if (Checks(mutex)) return Refused(EPERM);
    if (mutex.ousted == self) return Misused(Misuse::kInitialisedSince);
    if (IsFree(mutex)) return Misused(Misuse::kNotLocked);
    return Misused(Misuse::kLockedBy, mutex.owner);
  }
  if (mutex.count > 1 && mutex.type == PTHREAD_MUTEX_RECURSIVE) {
    --mutex.count;
    return {};
  }
  return Release(mutex);
}

Answer GiveUpMutex(MutexState& mutex) {
  if (mutex.count <= 1) return Release(mutex);
  --mutex.count;
  return {};
}

Answer TakeMutexAgain(MutexState& mutex, op::ThreadId self) {
  if (mutex.owner != self) return Take(mutex, self);
  ++mutex.count;
  return {};
}

void InitialiseMutex(MutexState& mutex, op::ThreadId self) {
  const op::ThreadId owner = mutex.owner;
  mutex = FreeMutex();
  if (owner != self) mutex.ousted = owner;
}

Answer DestroyMutex(const MutexState& mutex) {
  if (IsFree(mutex)) return {};
  if (mutex.type != PTHREAD_MUTEX_NORMAL) return Refused(EBUSY);
  return Misused(Misuse::kLockedBy, mutex.owner);
}

int MakeConsistent(MutexState& mutex, op::ThreadId self) {
  if (!mutex.robust || !mutex.owner_died || mutex.owner != self) return EINVAL;
  mutex.owner_died = false;
  return 0;
}

Answer OwnerEnded(MutexState& mutex) {
  mutex.owner = op::kNoThread;
  mutex.count = 0;
  mutex.owner_died = true;
  return {.releases = Releases::kAs};
}

}  // namespace heddle::runtime
