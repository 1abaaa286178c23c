#include "runtime/primitives/rwlock.h"

#include "runtime/objects/enabled.h"
#include "runtime/prim/glibc_layout.h"
#include "runtime/primitives/life.h"
#include "runtime/start.h"
#include "runtime/steps/perform.h"

namespace heddle::runtime {
namespace {

uintptr_t AddressOf(const pthread_rwlock_t* lock) { return reinterpret_cast<uintptr_t>(lock); }

op::Operation OperationOn(op::Kind kind, const pthread_rwlock_t* lock, uintptr_t pc) {
  return {.kind = kind, .object = AddressOf(lock), .pc = pc};
}

// Main may have locked it before the execution began; no other thread was there then. Reading the
// memory may fault.
void AddHoldsBefore(RwLockState& state, const pthread_rwlock_t& memory) {
  if (!LooksInitialised(memory)) return;
  constexpr unsigned kMostReaders = 1000;  // more are no readers, but other memory
  const bool writes = IsWrittenBy(memory, g_program.thread);
  const unsigned readers = ReadersIn(memory);
  if (writes)
    LockRwLock(state, RwSide::kWrite, 0, g_state.bump);
  else if (readers <= kMostReaders)
    for (unsigned i = 0; i < readers; ++i) LockRwLock(state, RwSide::kRead, 0, g_state.bump);
}

}  // namespace

Object& FindRwLock(pthread_rwlock_t* lock) {
  bool fresh;
  Object& object = FindObject(AddressOf(lock), ObjectKind::kRwLock, &fresh);
  if (!fresh) return object;
  object.rwlock = FreeRwLock();
  AddHoldsBefore(object.rwlock, *lock);
  object.level = LevelOf(object);
  if (PrefersWriters(*lock)) NoteIncomplete(Incomplete::kPrefersWriters);
  return object;
}

int RwLock(pthread_rwlock_t* lock, RwSide side, const uint64_t* deadline, uintptr_t pc) {
  Object& object = FindRwLock(lock);
  const op::Kind kind = side == RwSide::kRead ? op::Kind::kRwReadLock : op::Kind::kRwWriteLock;
  BeginWait(object, pc);
  const auto take = [&] {
    RequireInitialised(object, *lock, "locks", pc);
    return LockRwLock(object.rwlock, side, Current().id, g_state.bump);
  };
  return Perform(OperationOn(kind, lock, pc), object, take, deadline).status;
}

int RwTryLock(pthread_rwlock_t* lock, RwSide side, uintptr_t pc) {
  Object& object = FindRwLock(lock);
  const op::Kind kind =
      side == RwSide::kRead ? op::Kind::kRwTryReadLock : op::Kind::kRwTryWriteLock;
  const auto take = [&] {
    RequireInitialised(object, *lock, "locks", pc);
    return TryLockRwLock(object.rwlock, side, Current().id, g_state.bump);
  };
  return Perform(OperationOn(kind, lock, pc), object, take).status;
}

int RwUnlock(pthread_rwlock_t* lock, uintptr_t pc) {
  Object& object = FindRwLock(lock);
  const auto give_back = [&] {
    const op::ThreadId self = Current().id;
    // Memory that held one when it was locked may hold anything by now.
    if (!Holds(object.rwlock, self)) RequireInitialised(object, *lock, "unlocks", pc);
    return UnlockRwLock(object.rwlock, self);
  };
  return Perform(OperationOn(op::Kind::kRwUnlock, lock, pc), object, give_back).status;
}

void RwInit(pthread_rwlock_t* lock, int status, uintptr_t pc) {
  Object& object = FindRwLock(lock);
  FinishInitialise(object, status, pc, [&] {
    RequireNobodyBlocked(object, "initialises", pc);
    object.rwlock = FreeRwLock();
    return Answer{};
  });
}

int RwDestroy(pthread_rwlock_t* lock, uintptr_t pc) {
  Object& object = FindRwLock(lock);
  return PerformDestroy(object, *lock, pc, [&] { return DestroyRwLock(object.rwlock); });
}

}  // namespace heddle::runtime
