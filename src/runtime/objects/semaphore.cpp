#include "runtime/objects/semaphore.h"

#include <errno.h>
#include <limits.h>

#include "runtime/objects/life.h"
#include "runtime/prim/glibc_layout.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

uintptr_t AddressOf(const sem_t* semaphore) { return reinterpret_cast<uintptr_t>(semaphore); }

void SetValue(Object& object, uint64_t value) {
  object.semaphore.value = value;
  object.level = static_cast<op::Level>(value);
}

Object& FindSemaphore(sem_t* semaphore) {
  bool fresh;
  Object& object = FindObject(AddressOf(semaphore), ObjectKind::kSemaphore, &fresh);
  if (fresh) SetValue(object, SemaphoreValueIn(*semaphore));
  return object;
}

op::Operation OperationOn(op::Kind kind, const sem_t* semaphore, uintptr_t pc) {
  return {.kind = kind, .object = AddressOf(semaphore), .pc = pc};
}

void TakePermit(const op::Operation& operation, Object& object) {
  --object.semaphore.value;
  AcquireFrom(Current(), object.release);
  Commit(operation, &object, op::Access::kWrite);
  Changed(object);
}

}  // namespace

int SemWait(sem_t* semaphore, const uint64_t* deadline, uintptr_t pc) {
  Object& object = FindSemaphore(semaphore);
  const op::Operation operation = OperationOn(op::Kind::kSemWait, semaphore, pc);
  if (deadline != nullptr) Current().deadline = *deadline;
  if (Reach(operation, &object, deadline != nullptr) == Wake::kTimedOut) {
    Commit(operation, &object, op::Access::kRead, ETIMEDOUT, 1);
    return ETIMEDOUT;
  }
  RequireInitialised(object, *semaphore, "waits for", pc);
  TakePermit(operation, object);
  return 0;
}

int SemTryWait(sem_t* semaphore, uintptr_t pc) {
  Object& object = FindSemaphore(semaphore);
  const op::Operation operation = OperationOn(op::Kind::kSemTryWait, semaphore, pc);
  Reach(operation, nullptr);
  RequireInitialised(object, *semaphore, "waits for", pc);
  if (object.semaphore.value == 0) {
    Commit(operation, &object, op::Access::kRead, EAGAIN);
    return EAGAIN;
  }
  TakePermit(operation, object);
  return 0;
}

int SemPost(sem_t* semaphore, uintptr_t pc) {
  Object& object = FindSemaphore(semaphore);
  const op::Operation operation = OperationOn(op::Kind::kSemPost, semaphore, pc);
  Reach(operation, nullptr);
  RequireInitialised(object, *semaphore, "posts", pc);
  if (object.semaphore.value == INT_MAX) {  // SEM_VALUE_MAX
    Commit(operation, &object, op::Access::kRead, EOVERFLOW);
    return EOVERFLOW;
  }
  ++object.semaphore.value;
  ReleaseInto(Current(), object.release);
  Commit(operation, &object, op::Access::kShared);
  Changed(object);
  return 0;
}

int SemGetValue(sem_t* semaphore, int* value, uintptr_t pc) {
  Object& object = FindSemaphore(semaphore);
  const op::Operation operation = OperationOn(op::Kind::kSemGetValue, semaphore, pc);
  Reach(operation, nullptr);
  RequireInitialised(object, *semaphore, "reads", pc);
  *value = static_cast<int>(object.semaphore.value);
  Commit(operation, &object, op::Access::kRead, object.semaphore.value);
  return 0;
}

void SemInit(sem_t* semaphore, uintptr_t pc) {
  Object& object = FindSemaphore(semaphore);
  SetValue(object, SemaphoreValueIn(*semaphore));
  NoteMade(object, pc);
}

int SemDestroy(sem_t* semaphore, uintptr_t pc) {
  Object& object = FindSemaphore(semaphore);
  NoteDestroying(object, pc);
  if (object.semaphore.value == 0 && object.pending != nullptr)
    EndExecution(trace::EndKind::kMisuse, 0, AddressOf(semaphore), pc,
                 "%%T%u%% destroys semaphore %%O%lx%% while %%T%u%% waits for it", Current().id,
                 AddressOf(semaphore), object.pending->id);
  RequireInitialised(object, *semaphore, "destroys", pc);
  NoteDestroyed(object, *semaphore, pc);
  return 0;
}

}  // namespace heddle::runtime
