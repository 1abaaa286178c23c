#include "runtime/steps/object_use.h"

#include <pthread.h>
#include <semaphore.h>

#include "check/data_race.h"
#include "runtime/bounded_text.h"
#include "runtime/fibers/atoms.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/objects/life.h"
#include "runtime/places.h"
#include "runtime/prim/page.h"
#include "runtime/prim/readable.h"
#include "runtime/steps/commit.h"
#include "runtime/steps/program_end.h"

namespace heddle::runtime {
namespace {

struct Message {
  char characters[sizeof(trace::Ending::message)];
  BoundedText text = {characters, characters + sizeof characters};
  // trace::Ending has them.
  uintptr_t block = 0;
  uintptr_t freed_at = 0;
};

// Before it comes to its end, others may come to theirs: what is known of it waits in `message`.
[[noreturn]] void EndAs(trace::EndKind kind, const Message& message, uintptr_t address,
                        uintptr_t pc) {
  CommitAttempt();
  ReachProgramEnd(pc);
  g_trace->ending.block = message.block;
  g_trace->ending.freed_at = message.freed_at;
  EndExecution(kind, 0, address, pc, "%s", message.characters);
}

// If nothing orders the two, the free becomes a scheduling point, and so does a plain access.
[[noreturn]] void End(Message& message, uintptr_t address, size_t size, bool plain, uintptr_t pc) {
  const check::FreedBlock& block = check::FreedBlockAt(address, size);
  if (Current().clock.At(block.thread) < block.tick) {
    if (!IsStepAt(block.pc)) WishLifePlace(block.pc);
    if (plain && !IsStepAt(pc)) WishLifePlace(pc);
  }
  message.freed_at = block.pc;
  if (block.how == check::GivenBack::kDestroyed) {
    message.text.Add(
        " %%O%lx%%, which was destroyed by %%T%u%% at %%L%lx%% with its static object, at exit",
        address, block.thread, block.pc);
    EndAs(trace::EndKind::kUseAfterDestroy, message, address, pc);
  }
  const bool poisoned = block.how == check::GivenBack::kPoisoned;
  message.text.Add(" %%O%lx%%, which lies in memory that was %s by %%T%u%% at %%L%lx%%%s%%A%lx%%",
                   address, poisoned ? "poisoned" : "freed", block.thread, block.pc,
                   check::AnyIsFreed(address, size) ? "" : ", and has been allocated again",
                   address);
  EndAs(trace::EndKind::kUseAfterFree, message, address, pc);
}

OutOfBounds FindOutOfBounds(uintptr_t address, size_t size) {
  // As is what lies beside something that is poisoned.
  if (IsInProgramHeap(address) && IsAllOfBlock(address, address + size - 1)) return {};
  const OutOfBounds found = g_program_heap.FindOutOfBounds(address, size);
  // What a thread allocates at the same addresses again (heap_rounds.h) counts as freed till then.
  return found.last && check::AnyIsFreed(address, size) ? OutOfBounds{} : found;
}

// `size`: of a plain access or atomic; 0 of others.
[[noreturn]] void EndOutOfBounds(Message& message, const OutOfBounds& found, uintptr_t address,
                                 size_t size, uintptr_t pc) {
  const bool before = found.side == OutOfBounds::Side::kBefore;
  const bool over = !before && address < found.payload + found.bytes;
  if (size != 0) message.text.Add(" %zu byte%s", size, size == 1 ? "" : "s");
  if (over)
    message.text.Add(", over the end of");
  else
    message.text.Add(", %zu byte%s %s of", found.distance, found.distance == 1 ? "" : "s",
                     before ? "before the begin" : "after the end");
  message.text.Add(" %%B%lx%%", found.payload);
  if (found.freed)
    message.text.Add(", which was freed");
  else
    message.text.Add(", %zu byte%s", found.bytes, found.bytes == 1 ? "" : "s");
  message.text.Add("%%A%lx%%", found.payload);
  message.block = found.payload;
  EndAs(before ? trace::EndKind::kHeapBufferUnderflow : trace::EndKind::kHeapBufferOverflow,
        message, address, pc);
}

// Is it out of bounds, or in a block that was freed before main, so that nobody in the execution
// did?
bool IsWrongOnHeap(const OutOfBounds& found, uintptr_t address, size_t size) {
  return found.side != OutOfBounds::Side::kNone ||
         (found.freed && !check::AnyIsFreed(address, size));
}

// Does not return if it is. `shown`: as EndOutOfBounds has the size.
void JudgeOnHeap(Message& message, uintptr_t address, size_t size, size_t shown, uintptr_t pc) {
  const OutOfBounds found = FindOutOfBounds(address, size);
  if (!IsWrongOnHeap(found, address, size)) return;
  if (found.side != OutOfBounds::Side::kNone) EndOutOfBounds(message, found, address, shown, pc);
  message.text.Add(" %%O%lx%%, which lies in memory that was freed before main()", address);
  EndAs(trace::EndKind::kUseAfterFree, message, address, pc);
}

// Of those that have one type for all.
size_t BytesOf(const Object& object) {
  switch (object.kind) {
    case ObjectKind::kMutex:
      return sizeof(pthread_mutex_t);
    case ObjectKind::kCondition:
      return sizeof(pthread_cond_t);
    case ObjectKind::kRwLock:
      return sizeof(pthread_rwlock_t);
    case ObjectKind::kSemaphore:
      return object.semaphore.of_byte ? 1 : sizeof(sem_t);
    case ObjectKind::kBarrier:
      return sizeof(pthread_barrier_t);
    case ObjectKind::kFutex:
    case ObjectKind::kSpinLock:
    case ObjectKind::kOnce:
      return sizeof(int);
    case ObjectKind::kFree:
    case ObjectKind::kWord:
    case ObjectKind::kStream:
    case ObjectKind::kException:
    case ObjectKind::kThread:
    case ObjectKind::kStack:
    case ObjectKind::kProgram:
      break;
  }
  return 1;
}

void AddUse(Message& message, const op::Operation& operation, const Object& object) {
  message.text.Add("%%T%u%% %s", Current().id, op::Info(operation.kind).text);
  if (op::FamilyOf(operation.kind) == op::Family::kObject)
    message.text.Add(" %s", NounOf(object.kind));
  if (operation.object != object.address)  // a wait that gives it up
    message.text.Add(" %%O%lx%% with mutex", operation.object);
}

[[noreturn]] void EndInFrame(Message& message, uintptr_t address, const Fiber& owner,
                             uintptr_t pc) {
  const bool ended = owner.state == FiberState::kFinished;
  message.text.Add(!IsOnStack(address)
                       ? " %%O%lx%%, a thread-local variable of %%T%u%%, which has ended"
                   : ended ? " %%O%lx%%, which lies on the stack of %%T%u%%, which has ended"
                           : " %%O%lx%%, which lies in a frame of %%T%u%% that has returned",
                   address, owner.id);
  EndAs(trace::EndKind::kUseAfterReturn, message, address, pc);
}

// What was unmapped may have been mapped again by who is not seen: the linker, shmat, asm.
bool IsMappedAgain(uintptr_t address, size_t size) {
  if (IsOnHeap(address)) return false;
  if (check::FreedBlockAt(address, size).how != check::GivenBack::kFreed) return false;
  const uintptr_t first = RoundDown(address, kPageBytes);
  const uintptr_t end = RoundUp(address + size, kPageBytes);
  for (uintptr_t page = first; page < end; page += kPageBytes)
    if (!IsReadable(page)) return false;
  check::ForgetRange(first, end - first);
  return true;
}

}  // namespace

void BeginUseOfMemory(const op::Operation& operation, const Object& object) {
  const Fiber& self = Current();
  const size_t size = BytesOf(object);
  if (IsOnHeap(object.address) && !g_program_heap.IsAllInBlock(object.address, size)) {
    Message message;
    AddUse(message, operation, object);
    JudgeOnHeap(message, object.address, size, 0, operation.pc);
  }
  const bool freed = g_state.several_threads ? check::UseObject({self.id, self.tick, self.clock},
                                                                object.address, operation.pc)
                                             : check::IsFreed(object.address, 1);
  if (!freed || IsMappedAgain(object.address, 1)) return;
  CommitAttempt();
  if (FreesAreSteps()) CommitUse(object.address, operation.pc);
  Message message;
  AddUse(message, operation, object);
  End(message, object.address, 1, false, operation.pc);
}

void BeginUseOnStack(const op::Operation& operation, const Object& object) {
  const Fiber* const owner = OwnerOfLostFrame(object.address);
  if (owner == nullptr) return;
  CommitAttempt();
  CommitUseOnStack(object.address, operation.pc);
  Message message;
  AddUse(message, operation, object);
  EndInFrame(message, object.address, *owner, operation.pc);
}

void CommitUse(uintptr_t address, uintptr_t pc) {
  const op::Operation use{.kind = op::Kind::kUse, .object = address, .pc = pc};
  Commit(use, &AtomAt(address), op::Access::kRead);
}

bool IsOutsideBlocks(uintptr_t address, size_t size) {
  return IsWrongOnHeap(FindOutOfBounds(address, size), address, size);
}

void EndBadAccess(const op::Operation& access, size_t size) {
  Message message;
  message.text.Add("%%T%u%% %s", Current().id, op::Info(access.kind).text);
  if (IsOnHeap(access.object)) {
    JudgeOnHeap(message, access.object, size, size, access.pc);
    const Fiber& self = Current();
    const bool stale =
        check::ComesBeforeReuse({self.id, self.tick, self.clock}, access.object, size);
    if (!stale && !check::AnyIsFreed(access.object, size)) return;
  }
  if (IsMappedAgain(access.object, size)) return;
  End(message, access.object, size, op::IsPlain(access.kind), access.pc);
}

void EndUninitialisedRead(const op::Operation& access) {
  const OutOfBounds found = g_program_heap.FindOutOfBounds(access.object, 1);
  Message message;
  message.text.Add("%%T%u%% %s %%O%lx%%, which nobody has written", Current().id,
                   op::Info(access.kind).text, access.object);
  message.text.Add(": it lies in %%B%lx%%, %zu byte%s%%A%lx%%", found.payload, found.bytes,
                   found.bytes == 1 ? "" : "s", found.payload);
  message.block = found.payload;
  EndAs(trace::EndKind::kUninitialisedRead, message, access.object, access.pc);
}

void EndAccessToFrame(const op::Operation& access, const Fiber& owner) {
  CommitUseOnStack(access.object, access.pc);
  Message message;
  message.text.Add("%%T%u%% %s", Current().id, op::Info(access.kind).text);
  EndInFrame(message, access.object, owner, access.pc);
}

}  // namespace heddle::runtime
