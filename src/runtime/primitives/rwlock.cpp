#include "runtime/primitives/rwlock.h"

#include <errno.h>

#include "runtime/prim/glibc_layout.h"
#include "runtime/primitives/life.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

constexpr RwLockState kFree{.writer = op::kNoThread, .readers = 0, .holds = nullptr};

uintptr_t AddressOf(const pthread_rwlock_t* lock) { return reinterpret_cast<uintptr_t>(lock); }

ReadHold* HoldOf(const RwLockState& lock, op::ThreadId thread) {
  ReadHold* hold = lock.holds;
  while (hold != nullptr && hold->thread != thread) hold = hold->next;
  return hold;
}

void AddHold(RwLockState& lock, op::ThreadId thread) {
  ReadHold* hold = HoldOf(lock, thread);
  if (hold == nullptr) {
    hold = static_cast<ReadHold*>(g_state.bump.Take(sizeof(ReadHold)));
    *hold = {thread, 0, lock.holds};
    lock.holds = hold;
  }
  ++hold->count;
  ++lock.readers;
}

void TakeForReading(Fiber& self, Object& object) {
  AddHold(object.rwlock, self.id);
  AcquireFrom(self, object.release);
}

void TakeForWriting(Fiber& self, Object& object) {
  object.rwlock.writer = self.id;
  AcquireFrom(self, object.release);
  AcquireFrom(self, object.reader_release);
  object.reader_release.Zero();  // from now on part of what this writer publishes
}

void Take(Fiber& self, Object& object, RwSide side) {
  if (side == RwSide::kRead)
    TakeForReading(self, object);
  else
    TakeForWriting(self, object);
}

bool IsFree(const RwLockState& state, RwSide side) {
  return state.writer == op::kNoThread && (side == RwSide::kRead || state.readers == 0);
}

}  // namespace

Object& FindRwLock(pthread_rwlock_t* lock) {
  bool fresh;
  Object& object = FindObject(AddressOf(lock), ObjectKind::kRwLock, &fresh);
  if (!fresh) return object;
  object.rwlock = kFree;
  if (PrefersWriters(*lock))
    NoteIncomplete(
        "a read-write lock that prefers writers (pthread_rwlockattr_setkind_np) is explored as one "
        "that prefers"
        " readers: a reader that locks twice while a writer waits is not seen to deadlock");
  return object;
}

int RwLock(pthread_rwlock_t* lock, RwSide side, const uint64_t* deadline, uintptr_t pc) {
  Object& object = FindRwLock(lock);
  const op::Kind kind = side == RwSide::kRead ? op::Kind::kRwReadLock : op::Kind::kRwWriteLock;
  const op::Operation operation{.kind = kind, .object = AddressOf(lock), .pc = pc};
  BeginWait(object, pc);
  if (deadline != nullptr) Current().deadline = *deadline;
  if (Reach(operation, &object, deadline != nullptr) == Wake::kTimedOut) {
    Commit(operation, &object, op::Access::kRead, ETIMEDOUT, 1);
    return ETIMEDOUT;
  }
  Fiber& self = Current();
  RequireInitialised(object, *lock, "locks", pc);
  if (object.rwlock.writer == self.id) {
    Commit(operation, &object, op::Access::kRead, EDEADLK);
    return EDEADLK;
  }
  Take(self, object, side);
  Commit(operation, &object, op::Info(kind).access);
  Changed(object);
  return 0;
}

int RwTryLock(pthread_rwlock_t* lock, RwSide side, uintptr_t pc) {
  Object& object = FindRwLock(lock);
  const op::Kind kind =
      side == RwSide::kRead ? op::Kind::kRwTryReadLock : op::Kind::kRwTryWriteLock;
  const op::Operation operation{.kind = kind, .object = AddressOf(lock), .pc = pc};
  Reach(operation, &object);
  RequireInitialised(object, *lock, "locks", pc);
  if (!IsFree(object.rwlock, side)) {
    Commit(operation, &object, op::Access::kRead, EBUSY);
    return EBUSY;
  }
  Take(Current(), object, side);
  Commit(operation, &object, op::Info(kind).access);
  Changed(object);
  return 0;
}

int RwUnlock(pthread_rwlock_t* lock, uintptr_t pc) {
  Object& object = FindRwLock(lock);
  const op::Operation operation{.kind = op::Kind::kRwUnlock, .object = AddressOf(lock), .pc = pc};
  Reach(operation, &object);
  Fiber& self = Current();
  RwLockState& state = object.rwlock;
  auto access = op::Access::kWrite;
  if (state.writer == self.id) {
    state.writer = op::kNoThread;
    ReleaseAs(self, object.release);
  } else if (ReadHold* hold = HoldOf(state, self.id); hold != nullptr && hold->count != 0) {
    --hold->count;
    --state.readers;
    ReleaseInto(self, object.reader_release);
    access = op::Access::kShared;
  } else {
    RequireInitialised(object, *lock, "unlocks", pc);
    EndByMisuse(operation.object, pc,
                "%%T%u%% unlocks read-write lock %%O%lx%%, which it has not locked", self.id,
                operation.object);
  }
  Commit(operation, &object, access);
  Changed(object);
  return 0;
}

void RwInit(pthread_rwlock_t* lock, int status, uintptr_t pc) {
  Object& object = FindRwLock(lock);
  if (!CommitInitialise(object, status, pc)) return;
  RequireNobodyBlocked(object, "initialises", pc);
  object.rwlock = kFree;
  Changed(object);
}

int RwDestroy(pthread_rwlock_t* lock, uintptr_t pc) {
  Object& object = FindRwLock(lock);
  ReachDestroy(object, pc);
  const RwLockState& state = object.rwlock;
  if (state.writer != op::kNoThread || state.readers != 0)
    EndByMisuse(AddressOf(lock), pc, "%%T%u%% destroys read-write lock %%O%lx%% while it is locked",
                Current().id, AddressOf(lock));
  RequireInitialised(object, *lock, "destroys", pc);
  NoteDestroyed(object, *lock, pc);
  return 0;
}

}  // namespace heddle::runtime
