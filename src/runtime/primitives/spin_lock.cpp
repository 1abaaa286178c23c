#include "runtime/primitives/spin_lock.h"

#include <errno.h>

#include "runtime/prim/glibc_layout.h"
#include "runtime/primitives/life.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

constexpr MutexState kFree{.owner = op::kNoThread,
                           .count = 0,
                           .type = PTHREAD_MUTEX_NORMAL,
                           .robust = false,
                           .owner_died = false,
                           .unrecoverable = false,
                           .ousted = op::kNoThread};

uintptr_t AddressOf(pthread_spinlock_t* lock) { return reinterpret_cast<uintptr_t>(lock); }

void Take(const op::Operation& operation, Object& object) {
  Fiber& self = Current();
  object.mutex.owner = self.id;
  AcquireFrom(self, object.release);
  Commit(operation, &object, op::Access::kWrite);
  Changed(object);
}

}  // namespace

Object& FindSpinLock(pthread_spinlock_t* lock) {
  bool fresh;
  Object& object = FindObject(AddressOf(lock), ObjectKind::kSpinLock, &fresh);
  if (fresh) object.mutex = kFree;
  return object;
}

int SpinLock(pthread_spinlock_t* lock, uintptr_t pc) {
  Object& object = FindSpinLock(lock);
  const op::Operation operation{.kind = op::Kind::kSpinLock, .object = AddressOf(lock), .pc = pc};
  Reach(operation, &object);
  RequireInitialised(object, *lock, "locks", pc);
  Take(operation, object);
  return 0;
}

int SpinTryLock(pthread_spinlock_t* lock, uintptr_t pc) {
  Object& object = FindSpinLock(lock);
  const op::Operation operation{
      .kind = op::Kind::kSpinTryLock, .object = AddressOf(lock), .pc = pc};
  Reach(operation, &object);
  RequireInitialised(object, *lock, "locks", pc);
  if (object.mutex.owner != op::kNoThread) {
    Commit(operation, &object, op::Access::kRead, EBUSY);
    return EBUSY;
  }
  Take(operation, object);
  return 0;
}

int SpinUnlock(pthread_spinlock_t* lock, uintptr_t pc) {
  Object& object = FindSpinLock(lock);
  const op::Operation operation{.kind = op::Kind::kSpinUnlock, .object = AddressOf(lock), .pc = pc};
  Reach(operation, &object);
  Fiber& self = Current();
  RequireInitialised(object, *lock, "unlocks", pc);
  if (object.mutex.owner != self.id)
    EndByMisuse(operation.object, pc, "%%T%u%% unlocks spin lock %%O%lx%%, which it has not locked",
                self.id, operation.object);
  object.mutex.owner = op::kNoThread;
  ReleaseAs(self, object.release);
  Commit(operation, &object, op::Access::kWrite);
  Changed(object);
  return 0;
}

void SpinInit(pthread_spinlock_t* lock, int status, uintptr_t pc) {
  Object& object = FindSpinLock(lock);
  if (!CommitInitialise(object, status, pc)) return;
  object.mutex = kFree;
  Changed(object);
}

int SpinDestroy(pthread_spinlock_t* lock, uintptr_t pc) {
  Object& object = FindSpinLock(lock);
  ReachDestroy(object, pc);
  if (object.mutex.owner != op::kNoThread)
    EndByMisuse(AddressOf(lock), pc,
                "%%T%u%% destroys spin lock %%O%lx%%, which %%T%u%% has locked", Current().id,
                AddressOf(lock), object.mutex.owner);
  RequireInitialised(object, *lock, "destroys", pc);
  NoteDestroyed(object, *lock, pc);
  return 0;
}

}  // namespace heddle::runtime
