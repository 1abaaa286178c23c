#include "runtime/primitives/plain.h"

#include "runtime/fibers/atoms.h"
#include "runtime/loops/await.h"
#include "runtime/loops/timed_rounds.h"
#include "runtime/places.h"
#include "runtime/primitives/two_halves.h"
#include "runtime/record.h"
#include "runtime/states/frame_snapshot.h"
#include "runtime/steps/commit.h"
#include "runtime/steps/frames.h"
#include "runtime/steps/object_use.h"
#include "runtime/steps/scheduler.h"

namespace heddle::runtime {
namespace {

op::Operation PlainOperation(uintptr_t address, size_t size, bool write, uintptr_t pc) {
  return {.kind = write ? op::Kind::kPlainWrite : op::Kind::kPlainRead,
          .size = static_cast<uint8_t>(size < 0xff ? size : 0xff),
          .object = address,
          .object2 = size,  // as RecordAccess has it
          .pc = pc};
}

// A handler that interrupted its thread runs before one of its operations, so between which of its
// plain accesses is not explored, unless these are operations, too.
void NotePlainInHandler(const Fiber& self, uintptr_t address) {
  if (!self.in_handler || g_state.all_points) return;
  if (!IsOnOwnStack(self, address)) NoteIncomplete(Incomplete::kHandlerAccess);
}

}  // namespace

void PlainPoint(uintptr_t address, size_t size, bool write, uintptr_t pc) {
  const op::Operation operation = PlainOperation(address, size, write, pc);
  Reach(operation, nullptr);
  CommitOnMemory(operation, address, size, write ? op::Access::kWrite : op::Access::kRead);
  NoteHalf(Current(), size, write);
}

namespace {

// Does not return if it is to a frame of another thread that has returned.
[[gnu::noinline]] void UseStack(uintptr_t address, size_t size, bool write, uintptr_t pc) {
  for (uintptr_t at = address; at < address + size; at = (at | (kFrameLineBytes - 1)) + 1) {
    const Fiber* const owner = OwnerOfLostFrame(at, pc);
    if (owner != nullptr) EndAccessToFrame(PlainOperation(at, size, write, pc), *owner);
    if (IsStepAt(pc)) CommitUseOnStack(at, pc);
  }
}

// Or in the TLS block of another one.
bool IsOnOthersStack(const Fiber& self, uintptr_t address) {
  return IsOfThread(address) && !IsOnOwnStack(self, address) &&
         self.thread_pointer - address >= kStoragePlace;
}

// False: it was not recorded.
[[gnu::noinline]] bool SeeAccess(uintptr_t address, size_t size, bool write, uintptr_t pc) {
  const Fiber& self = Current();
  const bool visible = (g_state.places & kVisiblePlaces) != 0 && IsVisiblePlace(pc);
  if ((g_state.places & kWatchPlain) != 0) NotePlainInRound(self, address, size);
  if ((g_state.places & kWatchHandlers) != 0) NotePlainInHandler(self, address);
  bool recorded = g_state.recording;
  if (g_state.all_points || visible)
    PlainPoint(address, size, write, pc);
  else if (recorded)
    recorded = RecordAccess(address, static_cast<uint32_t>(size), write, pc);
  if ((g_state.places & kWatchRounds) != 0) WatchPlainOfRounds(self, address, size, write);
  if (self.ignore_depth != 0) return recorded;
  if (IsOnOthersStack(self, address)) UseStack(address, size, write, pc);
  if (!g_state.check_races) {
    PlainRangeAlone(address, size, write, pc);
    return recorded;
  }
  const bool bad = IsRangeOutOfBounds(address, size) ||
                   (visible ? check::VisibleAccess(AccessorOf(self), address, size, write, pc)
                            : check::AccessRange(AccessorOf(self), address, size, write, pc));
  if (__builtin_expect(bad, 0)) EndBadPlainAccess(address, size, write, pc);
  return recorded;
}

}  // namespace

// What heddle leaves on the stack may lie where a function that is called next has variables that
// it does not initialise. What recording leaves is another thing each time: a loop would not come
// back to the same state, and not wait where it did when it was not recorded. So is what events
// leave, of which a round of a loop with a time limit may have many.
void SlowRange(uintptr_t address, size_t size, bool write, uintptr_t pc) {
  if (SeeAccess(address, size, write, pc) || Current().loops.timed_rounds != nullptr)
    ClearDeadStack();
}

void SlowPlain(uintptr_t address, size_t size, bool write, uintptr_t pc) {
  SlowRange(address, size, write, pc);
  if (!write) NotePlainRead(address, size, pc);
}

void NewPlain(const Fiber& self, uintptr_t address, unsigned size, bool write, uintptr_t pc) {
  bool bad = false;
  if (IsInProgramHeap(address))  // first: most that are not on the own stack are there
    bad = !g_program_heap.IsInBlock(address, size);
  else if (IsOnOthersStack(self, address))
    UseStack(address, size, write, pc);
  else
    bad = IsOutOfBounds(address, size);
  if (__builtin_expect(bad, 0) ||
      __builtin_expect(check::NewAccess(AccessorOf(self), address, size, write, pc), 0))
    EndBadPlainAccess(address, size, write, pc);
}

void EndBadPlainAccess(uintptr_t address, size_t size, bool write, uintptr_t pc) {
  EndBadAccess(PlainOperation(address, size, write, pc), size);
  const Fiber& self = Current();
  if (g_state.several_threads && g_state.check_races)
    check::AccessRange(AccessorOf(self), address, size, write, pc);
}

void JudgePlainAlone(uintptr_t address, size_t size, bool write, uintptr_t pc, bool bad) {
  if (bad) EndBadPlainAccess(address, size, write, pc);
  if (!write) NotePlainRead(address, size, pc);
}

void VolatileAtomic(uintptr_t address, unsigned size, bool write, uintptr_t pc) {
  const Fiber& self = Current();
  PlainPoint(address, size, write, pc);
  if (self.ignore_depth != 0) return;
  if (!g_state.check_races) return PlainAlone(address, size, write, pc);
  if (IsOutOfBounds(address, size) ||
      check::AtomicAccess(AccessorOf(self), address, size, write, pc, check::AccessMode::kWeak))
    EndBadPlainAccess(address, size, write, pc);
  if (!write) NotePlainRead(address, size, pc);
}

}  // namespace heddle::runtime
