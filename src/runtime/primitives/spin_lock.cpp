#include "runtime/primitives/spin_lock.h"

#include "runtime/objects/spin_lock.h"
#include "runtime/prim/glibc_layout.h"
#include "runtime/primitives/life.h"
#include "runtime/steps/perform.h"

namespace heddle::runtime {
namespace {

uintptr_t AddressOf(const pthread_spinlock_t* lock) { return reinterpret_cast<uintptr_t>(lock); }

// `does`: "locks" or "unlocks".
template <auto& kMachine>
int Use(op::Kind kind, const char* does, pthread_spinlock_t* lock, uintptr_t pc) {
  Object& object = FindSpinLock(lock);
  const op::Operation operation = {.kind = kind, .object = AddressOf(lock), .pc = pc};
  const auto use = [&] {
    RequireInitialised(object, *lock, does, pc);
    return kMachine(object.mutex, Current().id);
  };
  return Perform(operation, object, use).status;
}

}  // namespace

Object& FindSpinLock(pthread_spinlock_t* lock) {
  bool fresh;
  Object& object = FindObject(AddressOf(lock), ObjectKind::kSpinLock, &fresh);
  if (!fresh) return object;
  object.mutex = FreeMutex();
  return object;
}

int SpinLock(pthread_spinlock_t* lock, uintptr_t pc) {
  return Use<LockSpinLock>(op::Kind::kSpinLock, "locks", lock, pc);
}

int SpinTryLock(pthread_spinlock_t* lock, uintptr_t pc) {
  return Use<TryLockSpinLock>(op::Kind::kSpinTryLock, "locks", lock, pc);
}

int SpinUnlock(pthread_spinlock_t* lock, uintptr_t pc) {
  return Use<UnlockSpinLock>(op::Kind::kSpinUnlock, "unlocks", lock, pc);
}

void SpinInit(pthread_spinlock_t* lock, int status, uintptr_t pc) {
  Object& object = FindSpinLock(lock);
  FinishInitialise(object, status, pc, [&] {
    object.mutex = FreeMutex();
    return Answer{};
  });
}

int SpinDestroy(pthread_spinlock_t* lock, uintptr_t pc) {
  Object& object = FindSpinLock(lock);
  return PerformDestroy(object, *lock, pc, [&] { return DestroySpinLock(object.mutex); });
}

}  // namespace heddle::runtime
