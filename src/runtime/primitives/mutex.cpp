#include "runtime/primitives/mutex.h"

#include <errno.h>

#include "runtime/fibers/robust_mutexes.h"
#include "runtime/prim/glibc_layout.h"
#include "runtime/primitives/life.h"
#include "runtime/runtime.h"
#include "runtime/visible.h"

namespace heddle::runtime {
namespace {

constexpr MutexState kFree{.owner = op::kNoThread,
                           .count = 0,
                           .type = PTHREAD_MUTEX_NORMAL,
                           .robust = false,
                           .owner_died = false,
                           .unrecoverable = false,
                           .ousted = op::kNoThread};

op::Operation LockOperation(op::Kind kind, pthread_mutex_t* mutex, uintptr_t pc) {
  return {.kind = kind, .object = reinterpret_cast<uintptr_t>(mutex), .pc = pc};
}

// Of a free mutex: memory that held one when it was locked may hold anything by now.
void RequireInitialisedIfFree(const Object& object, const op::Operation& operation) {
  if (object.mutex.owner == op::kNoThread)
    RequireInitialised(object, *reinterpret_cast<const pthread_mutex_t*>(operation.object),
                       operation.kind == op::Kind::kMutexUnlock ? "unlocks" : "locks",
                       operation.pc);
}

// The operation is enabled: the mutex is free, or the owner locks it again.
int Acquire(Fiber& self, Object& object, const op::Operation& operation) {
  MutexState& mutex = object.mutex;
  RequireInitialisedIfFree(object, operation);
  if (mutex.owner == self.id) {
    if (mutex.type == PTHREAD_MUTEX_RECURSIVE) {
      ++mutex.count;
      return 0;
    }
    return EDEADLK;
  }
  return TakeMutex(object, 1);
}

}  // namespace

Object& FindMutex(pthread_mutex_t* mutex) {
  bool fresh;
  Object& object = FindObject(reinterpret_cast<uintptr_t>(mutex), ObjectKind::kMutex, &fresh);
  if (fresh) object.mutex = kFree;
  // While it is free, it may have been made anew without a call (std::mutex initialises itself in
  // line).
  if (object.mutex.owner == op::kNoThread) {
    object.mutex.type = static_cast<uint8_t>(MutexTypeOf(*mutex));
    object.mutex.robust = IsRobust(*mutex);
  }
  return object;
}

int TakeMutex(Object& object, uint32_t depth) {
  Fiber& self = Current();
  MutexState& mutex = object.mutex;
  if (mutex.unrecoverable) return ENOTRECOVERABLE;
  mutex.owner = self.id;
  mutex.count = depth;
  AcquireFrom(self, object.release);
  if (mutex.robust) {
    NeedThreadEnds("a robust mutex is given up by the end of the thread that holds it");
    RememberRobust(object);
  }
  return mutex.owner_died ? EOWNERDEAD : 0;
}

uint32_t ReleaseWhole(Object& object) {
  const uint32_t depth = object.mutex.count;
  object.mutex.owner = op::kNoThread;
  object.mutex.count = 0;
  if (object.mutex.owner_died)
    object.mutex.unrecoverable = true;  // unlocked without pthread_mutex_consistent
  ReleaseAs(Current(), object.release);
  return depth;
}

int MutexLock(pthread_mutex_t* mutex, uintptr_t pc) {
  Object& object = FindMutex(mutex);
  const op::Operation operation = LockOperation(op::Kind::kMutexLock, mutex, pc);
  BeginWait(object, pc);
  Reach(operation, &object);
  const int status = Acquire(Current(), object, operation);
  Commit(operation, &object, op::Access::kWrite, static_cast<uint64_t>(status));
  Changed(object);
  return status;
}

int MutexTryLock(pthread_mutex_t* mutex, uintptr_t pc) {
  Object& object = FindMutex(mutex);
  const op::Operation operation = LockOperation(op::Kind::kMutexTryLock, mutex, pc);
  Reach(operation, &object);
  Fiber& self = Current();
  const bool nests = object.mutex.owner == self.id && object.mutex.type == PTHREAD_MUTEX_RECURSIVE;
  if (object.mutex.owner != op::kNoThread && !nests) {
    Commit(operation, &object, op::Access::kRead, EBUSY);
    return EBUSY;
  }
  const int status = Acquire(self, object, operation);
  Commit(operation, &object, op::Access::kWrite, static_cast<uint64_t>(status));
  Changed(object);
  return status;
}

int MutexTimedLock(pthread_mutex_t* mutex, uint64_t deadline, uintptr_t pc) {
  Object& object = FindMutex(mutex);
  const op::Operation operation = LockOperation(op::Kind::kMutexTimedLock, mutex, pc);
  BeginWait(object, pc);
  Current().deadline = deadline;
  if (Reach(operation, &object, true) == Wake::kTimedOut) {
    Commit(operation, &object, op::Access::kRead, ETIMEDOUT, 1);
    return ETIMEDOUT;
  }
  const int status = Acquire(Current(), object, operation);
  Commit(operation, &object, op::Access::kWrite, static_cast<uint64_t>(status));
  Changed(object);
  return status;
}

int MutexUnlock(pthread_mutex_t* mutex, uintptr_t pc) {
  Object& object = FindMutex(mutex);
  const op::Operation operation = LockOperation(op::Kind::kMutexUnlock, mutex, pc);
  Reach(operation, &object);
  MutexState& state = object.mutex;
  if (state.owner != Current().id) {
    RequireInitialisedIfFree(object, operation);
    if (state.type != PTHREAD_MUTEX_NORMAL || state.robust) {
      Commit(operation, &object, op::Access::kRead, EPERM);
      return EPERM;
    }
    // Undefined for a normal mutex.
    if (state.ousted == Current().id)
      EndByMisuse(operation.object, pc,
                  "%%T%u%% unlocks mutex %%O%lx%%, which was initialised at %%L%lx%% while "
                  "%%T%u%% had locked it",
                  Current().id, operation.object, object.making->pc, Current().id);
    if (state.owner == op::kNoThread)
      EndByMisuse(operation.object, pc, "%%T%u%% unlocks mutex %%O%lx%%, which is not locked",
                  Current().id, operation.object);
    EndByMisuse(operation.object, pc, "%%T%u%% unlocks mutex %%O%lx%%, which %%T%u%% has locked",
                Current().id, operation.object, state.owner);
  }
  if (state.count > 1 && state.type == PTHREAD_MUTEX_RECURSIVE)
    --state.count;
  else
    ReleaseWhole(object);
  Commit(operation, &object, op::Access::kWrite);
  Changed(object);
  return 0;
}

void MutexInit(pthread_mutex_t* mutex, int status, uintptr_t pc) {
  Object& object = FindMutex(mutex);
  if (!CommitInitialise(object, status, pc)) return;
  RequireNobodyBlocked(object, "initialises", pc);
  const op::ThreadId owner = object.mutex.owner;
  object.mutex = kFree;
  if (owner != Current().id) object.mutex.ousted = owner;
  FindMutex(mutex);  // its type
  Changed(object);
}

int MutexDestroy(pthread_mutex_t* mutex, uintptr_t pc) {
  Object& object = FindMutex(mutex);
  ReachDestroy(object, pc);
  const MutexState& state = object.mutex;
  if (state.owner == op::kNoThread) {
    RequireInitialised(object, *mutex, "destroys", pc);
    NoteDestroyed(object, *mutex, pc);
    return 0;
  }
  if (state.type != PTHREAD_MUTEX_NORMAL) return EBUSY;
  EndByMisuse(reinterpret_cast<uintptr_t>(mutex), pc,
              "%%T%u%% destroys mutex %%O%lx%%, which %%T%u%% has locked", Current().id,
              reinterpret_cast<uintptr_t>(mutex), state.owner);
}

int MutexConsistent(pthread_mutex_t* mutex) {
  MutexState& state = FindMutex(mutex).mutex;
  if (!state.robust || !state.owner_died || state.owner != Current().id) return EINVAL;
  state.owner_died = false;
  return 0;
}

}  // namespace heddle::runtime
