#include "runtime/primitives/mutex.h"

#include "runtime/objects/enabled.h"
#include "runtime/objects/mutex.h"
#include "runtime/prim/glibc_layout.h"
#include "runtime/primitives/life.h"
#include "runtime/start.h"
#include "runtime/steps/perform.h"
#include "runtime/steps/robust_mutexes.h"

namespace heddle::runtime {
namespace {

op::Operation OperationOn(op::Kind kind, const pthread_mutex_t* mutex, uintptr_t pc) {
  return {.kind = kind, .object = reinterpret_cast<uintptr_t>(mutex), .pc = pc};
}

// Of a free mutex: memory that held one when it was locked may hold anything by now.
void RequireInitialisedIfFree(const Object& object, const pthread_mutex_t& memory, const char* does,
                              uintptr_t pc) {
  if (IsFree(object.mutex)) RequireInitialised(object, memory, does, pc);
}

// How a thread that was let go locks it.
template <auto& kMachine>
auto LockBy(Object& object, const pthread_mutex_t& memory, uintptr_t pc) {
  return [&object, &memory, pc] {
    RequireInitialisedIfFree(object, memory, "locks", pc);
    const Answer answer = kMachine(object.mutex, Current().id);
    NoteTaken(object, answer);
    return answer;
  };
}

// Main may have locked it before the execution began. Reading the memory may fault.
void AddHoldsBefore(MutexState& state, const pthread_mutex_t& memory) {
  const unsigned holds = LooksInitialised(memory) ? HoldsOf(memory, g_program.thread) : 0;
  if (holds == 0) return;
  state.owner = 0;
  state.count = holds;
  state.type = static_cast<uint8_t>(MutexTypeOf(memory));
  state.robust = IsRobust(memory);
}

}  // namespace

Object& FindMutex(pthread_mutex_t* mutex) {
  bool fresh;
  Object& object = FindObject(reinterpret_cast<uintptr_t>(mutex), ObjectKind::kMutex, &fresh);
  if (fresh) {
    object.mutex = FreeMutex();
    AddHoldsBefore(object.mutex, *mutex);
    object.level = LevelOf(object);
  }
  // While it is free, it may have been made anew without a call (std::mutex initialises itself in
  // line).
  if (IsFree(object.mutex)) {
    object.mutex.type = static_cast<uint8_t>(MutexTypeOf(*mutex));
    object.mutex.robust = IsRobust(*mutex);
  }
  return object;
}

int MutexLock(pthread_mutex_t* mutex, uintptr_t pc) {
  Object& object = FindMutex(mutex);
  BeginWait(object, pc);
  return Perform(OperationOn(op::Kind::kMutexLock, mutex, pc), object,
                 LockBy<LockMutex>(object, *mutex, pc))
      .status;
}

int MutexTryLock(pthread_mutex_t* mutex, uintptr_t pc) {
  Object& object = FindMutex(mutex);
  return Perform(OperationOn(op::Kind::kMutexTryLock, mutex, pc), object,
                 LockBy<TryLockMutex>(object, *mutex, pc))
      .status;
}

int MutexTimedLock(pthread_mutex_t* mutex, uint64_t deadline, uintptr_t pc) {
  Object& object = FindMutex(mutex);
  BeginWait(object, pc);
  return Perform(OperationOn(op::Kind::kMutexTimedLock, mutex, pc), object,
                 LockBy<LockMutex>(object, *mutex, pc), &deadline)
      .status;
}

int MutexUnlock(pthread_mutex_t* mutex, uintptr_t pc) {
  Object& object = FindMutex(mutex);
  return Perform(OperationOn(op::Kind::kMutexUnlock, mutex, pc), object,
                 [&] {
                   RequireInitialisedIfFree(object, *mutex, "unlocks", pc);
                   return UnlockMutex(object.mutex, Current().id);
                 })
      .status;
}

void MutexInit(pthread_mutex_t* mutex, int status, uintptr_t pc) {
  Object& object = FindMutex(mutex);
  FinishInitialise(object, status, pc, [&] {
    RequireNobodyBlocked(object, "initialises", pc);
    InitialiseMutex(object.mutex, Current().id);
    FindMutex(mutex);  // its type
    return Answer{};
  });
}

int MutexDestroy(pthread_mutex_t* mutex, uintptr_t pc) {
  Object& object = FindMutex(mutex);
  return PerformDestroy(object, *mutex, pc, [&] { return DestroyMutex(object.mutex); });
}

int MutexConsistent(pthread_mutex_t* mutex) {
  return MakeConsistent(FindMutex(mutex).mutex, Current().id);
}

}  // namespace heddle::runtime
