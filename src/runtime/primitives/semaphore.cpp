#include "runtime/primitives/semaphore.h"

#include <errno.h>
#include <limits.h>

#include "runtime/prim/glibc_layout.h"
#include "runtime/primitives/life.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

uintptr_t AddressOf(const sem_t* semaphore) { return reinterpret_cast<uintptr_t>(semaphore); }

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

Object& FindSemaphore(sem_t* semaphore) {
  bool fresh;
  Object& object = FindObject(AddressOf(semaphore), ObjectKind::kSemaphore, &fresh);
  if (fresh) {
    object.semaphore.value = SemaphoreValueIn(*semaphore);
    object.level = static_cast<op::Level>(object.semaphore.value);
  }
  return object;
}

int SemWait(sem_t* semaphore, const uint64_t* deadline, uintptr_t pc) {
  Object& object = FindSemaphore(semaphore);
  const op::Operation operation = OperationOn(op::Kind::kSemWait, semaphore, pc);
  BeginWait(object, pc);
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
  Reach(operation, &object);
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
  Reach(operation, &object);
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
  Reach(operation, &object);
  RequireInitialised(object, *semaphore, "reads", pc);
  *value = static_cast<int>(object.semaphore.value);
  Commit(operation, &object, op::Access::kRead, object.semaphore.value);
  return 0;
}

void SemInit(sem_t* semaphore, int status, uintptr_t pc) {
  Object& object = FindSemaphore(semaphore);
  if (!CommitInitialise(object, status, pc)) return;
  RequireNobodyBlocked(object, "initialises", pc);
  object.semaphore.value = SemaphoreValueIn(*semaphore);
  Changed(object);
}

int SemDestroy(sem_t* semaphore, uintptr_t pc) {
  Object& object = FindSemaphore(semaphore);
  ReachDestroy(object, pc);
  RequireNobodyBlocked(object, "destroys", pc);
  RequireInitialised(object, *semaphore, "destroys", pc);
  NoteDestroyed(object, *semaphore, pc);
  // To wait for it now is a misuse, whether it had a permit or not: who does goes on, and is told.
  object.semaphore.value = 1;
  Changed(object);
  return 0;
}

}  // namespace heddle::runtime
