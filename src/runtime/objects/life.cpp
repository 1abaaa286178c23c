#include "runtime/objects/life.h"

#include "runtime/memory/program_heap.h"
#include "runtime/objects/enabled.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

Making* first_making;
Making* last_making;
uint64_t makings_serial;

bool IsFilledWith(uint8_t pattern, const void* memory, size_t bytes) {
  const auto* at = static_cast<const uint8_t*>(memory);
  for (size_t i = 0; i < bytes; ++i)
    if (at[i] != pattern) return false;
  return IsInProgramHeap(reinterpret_cast<uintptr_t>(memory));
}

op::Operation OperationOn(op::Kind kind, const Object& object, uintptr_t pc) {
  return {.kind = kind, .object = object.address, .pc = pc};
}

void Remember(Object& object, uintptr_t pc) {
  object.destroyed_by = op::kNoThread;
  Making* making = object.making;
  if (making != nullptr && making->over) {  // the entry is in the list
    making->over = false;
    making->pc = pc;
    return;
  }
  making = static_cast<Making*>(g_state.bump.Take(sizeof(Making)));
  *making = {object.kind, false, pc, nullptr};
  object.making = making;
  if (makings_serial != g_state.serial) {
    makings_serial = g_state.serial;
    first_making = making;
  } else {
    last_making->next = making;
  }
  last_making = making;
}

}  // namespace

const char* NounOf(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::kMutex:
      return "mutex";
    case ObjectKind::kCondition:
      return "condition variable";
    case ObjectKind::kRwLock:
      return "read-write lock";
    case ObjectKind::kSemaphore:
      return "semaphore";
    case ObjectKind::kBarrier:
      return "barrier";
    case ObjectKind::kSpinLock:
      return "spin lock";
    case ObjectKind::kFree:
    case ObjectKind::kWord:
    case ObjectKind::kFutex:
    case ObjectKind::kOnce:
    case ObjectKind::kException:
    case ObjectKind::kThread:
    case ObjectKind::kProgram:
      return "location";
  }
  __builtin_unreachable();
}

void EndUninitialised(const Object& object, const void* memory, size_t bytes, bool looks_destroyed,
                      const char* does, uintptr_t pc) {
  const op::ThreadId self = Current().id;
  const char* noun = NounOf(object.kind);
  if (looks_destroyed && object.destroyed_by != op::kNoThread)
    EndByMisuse(object.address, pc,
                "%%T%u%% %s %s %%O%lx%%, which was destroyed by %%T%u%% at %%L%lx%%", self, does,
                noun, object.address, object.destroyed_by, object.destroyed_at);
  const char* why =
      "is probably not initialised: its memory holds what no initialiser leaves there";
  if (IsFilledWith(kFreshPattern, memory, bytes))
    why = "was never initialised: the memory still holds what the allocator put there";
  else if (IsFilledWith(kFreedPattern, memory, bytes))
    why = "lies in memory that was freed";
  else if (looks_destroyed && object.kind == ObjectKind::kBarrier)
    why = "was never initialised";
  EndByMisuse(object.address, pc, "%%T%u%% %s %s %%O%lx%%, which %s", self, does, noun,
              object.address, why);
}

void ReachInitialise(Object& object, uintptr_t pc) {
  Reach(OperationOn(op::Kind::kInitialise, object, pc), &object);
}

bool CommitInitialise(Object& object, int status, uintptr_t pc) {
  const op::Operation operation = OperationOn(op::Kind::kInitialise, object, pc);
  if (status != 0) {  // it refused its arguments
    Commit(operation, &object, op::Access::kNone, static_cast<uint64_t>(status));
    return false;
  }
  Commit(operation, &object, op::Access::kWrite);
  // Whoever takes it has not learnt from those who had it before: it is a new object.
  object.release.Zero();
  object.reader_release.Zero();
  Remember(object, pc);
  return true;
}

void ReachDestroy(Object& object, uintptr_t pc) {
  const op::Operation operation = OperationOn(op::Kind::kDestroy, object, pc);
  Reach(operation, &object);
  Commit(operation, &object, op::Access::kWrite);
}

namespace {

// It has been woken by a condition variable and waits for the mutex, for certain.
bool HasBegunToWait(const Fiber& fiber) { return fiber.pending.kind == op::Kind::kCondReacquire; }

const Fiber* BlockedAt(const Object& object) {
  const Fiber* blocked = nullptr;
  for (const Fiber* fiber = object.pending; fiber != nullptr; fiber = fiber->next_pending) {
    const bool unsignalled =
        HasBegunToWait(*fiber) && fiber->pending.detail == 0 && fiber->wake == Wake::kNone;
    if (unsignalled || IsEnabled(*fiber)) continue;
    if (blocked == nullptr || HasBegunToWait(*fiber)) blocked = fiber;
  }
  return blocked;
}

}  // namespace

void RequireNobodyBlocked(const Object& object, const char* does, uintptr_t pc) {
  const Fiber* blocked = BlockedAt(object);
  if (blocked == nullptr) return;
  constexpr uint32_t kItWaits = 0;
  const bool waits =
      HasBegunToWait(*blocked) || ChooseOption(trace::ChoiceKind::kTimeout, 2) == kItWaits;
  if (waits)
    EndByMisuse(object.address, pc, "%%T%u%% %s %s %%O%lx%% while %%T%u%% waits for it",
                Current().id, does, NounOf(object.kind), object.address, blocked->id);
}

void NoteDestroyed(Object& object, uintptr_t pc) {
  object.destroyed_by = Current().id;
  object.destroyed_at = pc;
  if (object.making != nullptr) object.making->over = true;
}

const Making* FirstMaking() { return makings_serial == g_state.serial ? first_making : nullptr; }

}  // namespace heddle::runtime
