#include "runtime/primitives/semaphore.h"

#include "runtime/fibers/schedule.h"
#include "runtime/objects/semaphore.h"
#include "runtime/prim/glibc_layout.h"
#include "runtime/primitives/life.h"
#include "runtime/states/hook_state.h"
#include "runtime/steps/perform.h"

namespace heddle::runtime {
namespace {

uintptr_t AddressOf(const sem_t* semaphore) { return reinterpret_cast<uintptr_t>(semaphore); }

op::Operation OperationOn(op::Kind kind, const sem_t* semaphore, uintptr_t pc) {
  return {.kind = kind, .object = AddressOf(semaphore), .pc = pc};
}

Object& FindUpOrDown(const unsigned char* up) {
  bool fresh;
  Object& object = FindObject(reinterpret_cast<uintptr_t>(up), ObjectKind::kSemaphore, &fresh);
  if (!fresh) return object;
  object.semaphore.of_byte = true;
  object.level = static_cast<op::Level>(object.semaphore.value = *up == 0 ? 1 : 0);
  return object;
}

op::Operation OperationOn(op::Kind kind, const unsigned char* up, uintptr_t pc) {
  return {.kind = kind, .object = reinterpret_cast<uintptr_t>(up), .pc = pc};
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
  BeginWait(object, pc);
  const auto take = [&] {
    RequireInitialised(object, *semaphore, "waits for", pc);
    return TakePermit(object.semaphore);
  };
  return Perform(OperationOn(op::Kind::kSemWait, semaphore, pc), object, take, deadline,
                 Interrupts::kUnlessRestarted)
      .status;
}

int SemTryWait(sem_t* semaphore, uintptr_t pc) {
  Object& object = FindSemaphore(semaphore);
  const auto take = [&] {
    RequireInitialised(object, *semaphore, "waits for", pc);
    return TryTakePermit(object.semaphore);
  };
  return Perform(OperationOn(op::Kind::kSemTryWait, semaphore, pc), object, take).status;
}

int SemPost(sem_t* semaphore, uintptr_t pc) {
  Object& object = FindSemaphore(semaphore);
  const auto post = [&] {
    RequireInitialised(object, *semaphore, "posts", pc);
    return PostPermit(object.semaphore);
  };
  return Perform(OperationOn(op::Kind::kSemPost, semaphore, pc), object, post).status;
}

int SemGetValue(sem_t* semaphore, int* value, uintptr_t pc) {
  Object& object = FindSemaphore(semaphore);
  const auto read = [&] {
    RequireInitialised(object, *semaphore, "reads", pc);
    const Answer answer = CountPermits(object.semaphore);
    *value = static_cast<int>(answer.value);
    return answer;
  };
  HashCallArgument(value);
  return Perform(OperationOn(op::Kind::kSemGetValue, semaphore, pc), object, read).status;
}

void SemInit(sem_t* semaphore, int status, uintptr_t pc) {
  Object& object = FindSemaphore(semaphore);
  FinishInitialise(object, status, pc, [&] {
    RequireNobodyBlocked(object, "initialises", pc);
    object.semaphore.value = SemaphoreValueIn(*semaphore);
    return Answer{};
  });
}

int SemDestroy(sem_t* semaphore, uintptr_t pc) {
  Object& object = FindSemaphore(semaphore);
  const auto may_be = [&] {
    RequireNobodyBlocked(object, "destroys", pc);
    return Answer{};
  };
  const int status = PerformDestroy(object, *semaphore, pc, may_be);
  DestroySemaphore(object.semaphore);
  Changed(object);
  return status;
}

void SemRaise(unsigned char* up, uintptr_t pc) {
  Object& object = FindUpOrDown(up);
  Perform(OperationOn(op::Kind::kSemWait, up, pc), object, [&] {
    *up = 1;
    NoteUp(reinterpret_cast<uintptr_t>(up), true);
    return TakePermit(object.semaphore);
  });
}

void SemLower(unsigned char* up, uintptr_t pc) {
  Object& object = FindUpOrDown(up);
  Perform(OperationOn(op::Kind::kSemPost, up, pc), object, [&] {
    if (!HasPermit(object.semaphore)) NoteUp(reinterpret_cast<uintptr_t>(up), false);
    *up = 0;
    return LowerUpOrDown(object.semaphore);
  });
}

}  // namespace heddle::runtime
