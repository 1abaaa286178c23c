#include "runtime/world/child_locks.h"

#include <pthread.h>
#include <semaphore.h>

#include "runtime/fibers/atoms.h"
#include "runtime/fibers/table.h"
#include "runtime/prim/glibc_layout.h"
#include "runtime/prim/page.h"
#include "runtime/prim/readable.h"
#include "runtime/prim/real.h"
#include "runtime/runtime.h"
#include "runtime/steps/commit.h"
#include "runtime/steps/scheduler.h"
#include "runtime/steps/thread_life.h"
#include "runtime/world/aliases.h"

namespace heddle::runtime {
namespace {

bool IsLock(ObjectKind kind) {
  return IsMutexLike(kind) || kind == ObjectKind::kRwLock || kind == ObjectKind::kSemaphore;
}

// The object's memory, if it is one: it may be gone.
template <typename T>
T* MemoryOf(const Object& object) {
  if (!IsReadable(object.address & ~uintptr_t{7})) return nullptr;
  T* memory = reinterpret_cast<T*>(object.address);
  return LooksInitialised(*memory) ? memory : nullptr;
}

void Hand(pthread_mutex_t& memory, const MutexState& state) {
  StoreUnlocked(memory);
  if (state.owner == op::kNoThread) return;
  for (uint32_t i = 0; i == 0 || i < state.count; ++i)
    Real<&pthread_mutex_trylock>("pthread_mutex_trylock")(&memory);
  if (state.owner != Current().id) StoreOtherOwner(memory);
}

void Hand(pthread_rwlock_t& memory, const RwLockState& state) {
  StoreUnlocked(memory);
  for (uint32_t i = 0; i < state.readers; ++i)
    Real<&pthread_rwlock_tryrdlock>("pthread_rwlock_tryrdlock")(&memory);
  if (state.writer == op::kNoThread) return;
  Real<&pthread_rwlock_trywrlock>("pthread_rwlock_trywrlock")(&memory);
  if (state.writer != Current().id) StoreOtherOwner(memory);
}

void Hand(const Object& object) {
  if (object.kind == ObjectKind::kMutex) {
    if (auto* memory = MemoryOf<pthread_mutex_t>(object)) Hand(*memory, object.mutex);
  } else if (object.kind == ObjectKind::kRwLock) {
    if (auto* memory = MemoryOf<pthread_rwlock_t>(object)) Hand(*memory, object.rwlock);
  } else if (object.kind == ObjectKind::kSpinLock) {
    auto* memory = MemoryOf<pthread_spinlock_t>(object);
    if (memory != nullptr && object.mutex.owner != op::kNoThread) StoreLocked(*memory);
  } else if (object.kind == ObjectKind::kSemaphore && !object.semaphore.of_byte) {
    if (auto* memory = MemoryOf<sem_t>(object))
      StoreSemaphoreValue(*memory, static_cast<unsigned>(object.semaphore.value));
  }
}

}  // namespace

void ReachFork(uintptr_t pc) {
  if (LiveThreads() >= 2 || SharesMemory()) NoteIncomplete(Incomplete::kChildProcess);
  if (LiveThreads() < 2) return;
  const op::Operation fork = {.kind = op::Kind::kFork, .pc = pc};
  Reach(fork, nullptr);
  Touches touches;
  ForEachTouchedObject([&](const Object& object) {
    if (IsLock(object.kind)) touches.Add(object, object.level, pc);
  });
  if (touches.Count() == 0) return Commit(fork, nullptr, op::Access::kNone);
  CommitTouches(fork, touches, op::Access::kRead);
}

void HandLocksToChild() {
  ForEachTouchedObject([](const Object& object) { Hand(object); });
}

}  // namespace heddle::runtime
