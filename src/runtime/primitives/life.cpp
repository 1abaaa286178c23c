#include "runtime/primitives/life.h"

#include "runtime/fibers/enabled.h"
#include "runtime/memory/program_heap.h"
#include "runtime/objects/enabled.h"
#include "runtime/places.h"
#include "runtime/prim/lifetime.h"
#include "runtime/runtime.h"
#include "runtime/steps/program_end.h"

namespace heddle::runtime {
namespace {

[[HEDDLE_OF_EXECUTION]] Making* first_making;
[[HEDDLE_OF_EXECUTION]] Making* last_making;

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
  if (last_making == nullptr) {
    first_making = making;
  } else {
    last_making->next = making;
  }
  last_making = making;
}

}  // namespace

void EndUninitialised(const Object& object, const void* memory, size_t bytes, bool looks_destroyed,
                      const char* does, uintptr_t pc) {
  const op::ThreadId self = Current().id;
  const char* noun = NounOf(object.kind);
  if (looks_destroyed && object.destroyed_by != op::kNoThread)
    EndByMisuse(object.address, pc,
                "%%T%u%% %s %s %%O%lx%%, which was destroyed by %%T%u%% at %%L%lx%%", self, does,
                noun, object.address, object.destroyed_by, object.destroyed_at);
  const char* why = "is probably not initialised: none that is has such bytes";
  if (IsFilledWith(kFreshPattern, memory, bytes))
    why = "was never initialised: its memory is as the allocator returned it";
  else if (IsFilledWith(kFreedPattern, memory, bytes))
    why = "lies in memory that was freed";
  else if (looks_destroyed && object.kind == ObjectKind::kBarrier)
    why = "was never initialised";
  EndByMisuse(object.address, pc, "%%T%u%% %s %s %%O%lx%%, which %s", self, does, noun,
              object.address, why);
}

void ReachInitialise(Object& object, uintptr_t pc) {
  const op::Operation operation = OperationOn(op::Kind::kInitialise, object, pc);
  Reach(operation, &object);
  BeginUse(operation, object);
}

bool CommitInitialise(Object& object, int status, uintptr_t pc) {
  const op::Operation operation = OperationOn(op::Kind::kInitialise, object, pc);
  if (status != 0) {  // it refused its arguments
    Commit(operation, &object, op::Access::kNone, static_cast<uint64_t>(status));
    return false;
  }
  Commit(operation, &object, op::Access::kWrite);
  EndUse(object, pc);
  // Whoever takes it has not learnt from those who had it before: it is a new object.
  object.release.Zero();
  object.reader_release.Zero();
  Remember(object, pc);
  return true;
}

void ReachDestroy(Object& object, uintptr_t pc) {
  const op::Operation operation = OperationOn(op::Kind::kDestroy, object, pc);
  Reach(operation, &object);
  BeginUse(operation, object);
  Commit(operation, &object, op::Access::kWrite);
  EndUse(object, pc);
}

namespace {

// Would a thread that came now have to wait?
bool MakesWait(const Object& object) {
  const op::Level level = LevelOf(object);
  return object.kind == ObjectKind::kSemaphore ? level == 0 : level != 0;
}

// Has `fiber`, which stands before an operation on the mutex, given that up in a condition wait? It
// has waited for it since, whether it was signalled or not: the signal is no operation on the
// mutex.
bool GaveUp(const Fiber& fiber, const Object& mutex) {
  return fiber.pending.kind == op::Kind::kCondReacquire && mutex.mutex.owner != fiber.id;
}

// The first of those who wait for `object`. REQUIRES: MakesWait(object).
const Fiber* FirstWaiter(const Object& object) {
  const Fiber* first = nullptr;
  for (const Fiber* fiber = object.pending_threads; fiber != nullptr; fiber = fiber->next_pending) {
    const bool gave_up = GaveUp(*fiber, object);
    if (!gave_up && IsEnabled(*fiber)) continue;
    if (!gave_up && !(g_state.waits_begin && IsWaitPlace(fiber->pending.pc))) {
      WishWaitPlace(fiber->pending.pc);
      continue;
    }
    if (first == nullptr || fiber->id < first->id) first = fiber;
  }
  return first;
}

}  // namespace

void RequireNobodyBlocked(Object& object, const char* does, uintptr_t pc) {
  if (!MakesWait(object)) return;
  const Fiber& self = Current();
  object.made_to_wait.Set(self.id, self.tick, g_state.bump);
  const Fiber* waiter = FirstWaiter(object);
  if (waiter == nullptr) return;
  EndByMisuse(object.address, pc, "%%T%u%% %s %s %%O%lx%% while %%T%u%% waits for it", self.id,
              does, NounOf(object.kind), object.address, waiter->id);
}

void BeginWait(Object& object, uintptr_t pc) {
  if (__builtin_expect(g_state.waits_begin, 0) && IsWaitPlace(pc)) {
    const op::Operation begins = OperationOn(op::Kind::kBeginWait, object, pc);
    Reach(begins, &object);
    Commit(begins, &object, op::Access::kRead);
    return;
  }
  if (__builtin_expect(object.made_to_wait.Empty(), 1)) return;
  if (!object.made_to_wait.LessOrEqual(Current().clock)) WishWaitPlace(pc);
}

void NoteDestroyed(Object& object, uintptr_t pc) {
  object.destroyed_by = Current().id;
  object.destroyed_at = pc;
  if (object.making != nullptr) object.making->over = true;
}

const Making* FirstMaking() { return first_making; }

}  // namespace heddle::runtime
