#include "runtime/fibers/object_use.h"

#include "check/data_race.h"
#include "runtime/bounded_text.h"
#include "runtime/fibers/atoms.h"
#include "runtime/fibers/program_end.h"
#include "runtime/objects/life.h"
#include "runtime/places.h"
#include "runtime/prim/page.h"
#include "runtime/prim/readable.h"

namespace heddle::runtime {
namespace {

struct Message {
  char characters[sizeof(trace::Ending::message)];
  BoundedText text = {characters, characters + sizeof characters};
};

[[noreturn]] void EndAs(trace::EndKind kind, const Message& message, uintptr_t address,
                        uintptr_t pc) {
  CommitAttempt();
  ReachProgramEnd(pc);
  EndExecution(kind, 0, address, pc, "%s", message.characters);
}

bool IsStepAt(uintptr_t pc) {
  return g_state.all_points || (FreesAreSteps() && IsVisiblePlace(pc));
}

// If nothing orders the two, the free becomes a scheduling point, and so does a plain access.
[[noreturn]] void End(Message& message, uintptr_t address, size_t size, bool plain, uintptr_t pc) {
  const check::FreedBlock& block = check::FreedBlockAt(address, size);
  if (Current().clock.At(block.thread) < block.tick) {
    if (!IsStepAt(block.pc)) WishLifePlace(block.pc);
    if (plain && !IsStepAt(pc)) WishLifePlace(pc);
  }
  message.text.Add(" %%O%lx%%, which lies in memory that was freed by %%T%u%% at %%L%lx%%", address,
                   block.thread, block.pc);
  EndAs(trace::EndKind::kUseAfterFree, message, address, pc);
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
  message.text.Add(ended ? " %%O%lx%%, which lies on the stack of %%T%u%%, which has ended"
                         : " %%O%lx%%, which lies in a frame of %%T%u%% that has returned",
                   address, owner.id);
  EndAs(trace::EndKind::kUseAfterReturn, message, address, pc);
}

}  // namespace

void BeginUseOnHeap(const op::Operation& operation, const Object& object) {
  const Fiber& self = Current();
  const bool freed = g_state.several_threads ? check::UseObject({self.id, self.tick, self.clock},
                                                                object.address, operation.pc)
                                             : check::IsFreed(object.address, 1);
  if (!freed) return;
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

namespace {

// What was unmapped may have been mapped again by who is not seen: the linker, shmat, asm.
bool IsMappedAgain(uintptr_t address, size_t size) {
  if (IsOnHeap(address)) return false;
  const uintptr_t first = RoundDown(address, kPageBytes);
  const uintptr_t end = RoundUp(address + size, kPageBytes);
  for (uintptr_t page = first; page < end; page += kPageBytes)
    if (!IsReadable(page)) return false;
  check::ForgetRange(first, end - first);
  return true;
}

}  // namespace

void EndAccessToFreed(const op::Operation& access, size_t size) {
  if (IsMappedAgain(access.object, size)) return;
  Message message;
  message.text.Add("%%T%u%% %s", Current().id, op::Info(access.kind).text);
  End(message, access.object, size, op::IsPlain(access.kind), access.pc);
}

void EndAccessToFrame(const op::Operation& access, const Fiber& owner) {
  CommitUseOnStack(access.object, access.pc);
  Message message;
  message.text.Add("%%T%u%% %s", Current().id, op::Info(access.kind).text);
  EndInFrame(message, access.object, owner, access.pc);
}

}  // namespace heddle::runtime
