#include "runtime/steps/frames.h"

#include "runtime/fibers/atoms.h"
#include "runtime/fibers/table.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/objects/table.h"
#include "runtime/places.h"
#include "runtime/steps/commit.h"
#include "runtime/visible.h"

namespace heddle::runtime {

// From tick `tick` of the thread on its stack ended at `frame` when it came to an operation, until
// the next mark.
struct FrameMark {
  uintptr_t frame;
  FrameMark* older;
  uint32_t tick;
};

struct LentObject {
  Object* use;         // by address; its `release` is who has used it, and when
  uintptr_t plain_pc;  // of the plain access that did first; 0: it was an operation
  LentObject* next;
};

namespace {

constexpr uintptr_t kNoPlace = 0;
constexpr char kUsed[] = "an object in its frame is used by another thread";

uintptr_t TopOf(const Fiber& fiber) {
  return reinterpret_cast<uintptr_t>(fiber.stack_begin) + fiber.stack_size;
}

struct InFrame {
  Fiber* owner;  // null: nobody's
  uintptr_t address;
};

// What is in its TLS block lives as long as what is at the top of its stack.
InFrame FindInFrame(uintptr_t address) {
  if (IsOnStack(address)) return {FiberOfStack(address), address};
  Fiber* const owner = FiberOfStorage(address);
  return {owner, owner == nullptr ? 0 : TopOf(*owner) - 1};
}

Object& LineOf(uintptr_t address) {
  return FindObject(address & ~(kFrameLineBytes - 1), ObjectKind::kStack);
}

void AddMark(Fiber& self, uintptr_t frame, uint32_t tick) {
  auto* mark = static_cast<FrameMark*>(g_state.bump.Take(sizeof(FrameMark)));
  *mark = {frame, self.frames, tick};
  self.frames = mark;
  if (frame > self.highest_frame) self.highest_frame = frame;
}

// The use is not ordered with the return. `plain_pc`: as in LentObject.
void NeedOrders(uintptr_t plain_pc) {
  NeedFrameEnds(kUsed);
  if (plain_pc != 0) WishLifePlace(plain_pc);
}

// Others have used objects below `frame`, which are gone now: who does not know when they were done
// could have come there first.
void LookAtUses(Fiber& self, uintptr_t frame) {
  for (LentObject** link = &self.lent; *link != nullptr;) {
    const LentObject& lent = **link;
    if (lent.use->address >= frame) {
      link = &(*link)->next;
      continue;
    }
    if (!lent.use->release.LessOrEqual(self.clock)) NeedOrders(lent.plain_pc);
    lent.use->release.Zero();
    *link = lent.next;
  }
}

// The thread's stack ends at another place: an event of the step that it is about to end.
void MoveAsEvent(Fiber& self, uintptr_t frame, uintptr_t pc) {
  const bool ends = frame > self.frame;
  const uintptr_t end = ends ? frame : self.frame;
  const uintptr_t begin = ends ? self.frame : frame;
  const op::Operation operation = {
      .kind = ends ? op::Kind::kFrameEnd : op::Kind::kFrameBegin, .object = begin, .pc = pc};
  self.frame = frame;
  Touches lines;
  for (uintptr_t at = begin & ~(kFrameLineBytes - 1); at < end; at += kFrameLineBytes)
    lines.Add(LineOf(at), 0, pc);
  CommitTouches(operation, lines, op::Access::kWrite, 0, 0, Effect::kLeavesAsItWas);
}

void MoveTo(Fiber& self, uintptr_t frame, uintptr_t pc) {
  if (frame == self.frame) return;
  const bool known = frame != 0 && self.frame != 0;
  if (g_state.several_threads && g_state.frame_ends && known) return MoveAsEvent(self, frame, pc);
  if (g_state.several_threads && !g_state.frame_ends) {
    if (self.frames == nullptr) AddMark(self, self.frame, 0);
    if (frame > self.frame && self.lent != nullptr) LookAtUses(self, frame);
    AddMark(self, frame, self.tick);
  }
  self.frame = frame;
}

// Has the frame with `address` returned since the owner's last operation that may have told of an
// object there, as far as the running thread knows of them? REQUIRES: returns are no events.
bool MayHaveReturned(const Fiber& owner, uintptr_t address, uint32_t known) {
  if (address >= owner.highest_frame) return false;
  for (const FrameMark* mark = owner.frames; mark != nullptr; mark = mark->older) {
    if (mark->frame > address) return true;
    if (mark->tick <= known) return false;
  }
  return false;
}

// When the frame with `address` returned. REQUIRES: it has, and returns are no events.
uint32_t TickOfReturn(const Fiber& owner, uintptr_t address) {
  uint32_t tick = 0;
  for (const FrameMark* mark = owner.frames; mark != nullptr && mark->frame > address;
       mark = mark->older)
    tick = mark->tick;
  return tick;
}

void NoteUse(const Fiber& self, Fiber& owner, uintptr_t address, uintptr_t plain_pc) {
  Object& use = plain_pc != 0 ? LineOf(address) : FindObject(address, ObjectKind::kStack);
  if (use.release.Empty()) {
    auto* lent = static_cast<LentObject*>(g_state.bump.Take(sizeof(LentObject)));
    *lent = {&use, plain_pc, owner.lent};
    owner.lent = lent;
  }
  use.release.Set(self.id, self.tick, g_state.bump);
}

}  // namespace

void ComeToFrame(Fiber& self, uintptr_t pc) {
  uintptr_t frame = g_state.hook_frame;
  if (g_state.hook_pc != pc) {
    // Of the same call, as the end of a wait.
    if (self.frame_told && self.pending.pc == pc) return;
    if (pc == kNoPlace && self.frame == TopOf(self)) return;  // the end of the thread
    // What made the operation did not tell: it is heddle's own frames that lie below.
    frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  }
  self.frame_told = g_state.hook_pc == pc;
  const bool within = frame - reinterpret_cast<uintptr_t>(self.stack_begin) < self.stack_size;
  if (!within || g_state.stacks_within) frame = 0;
  MoveTo(self, frame, pc);
}

void LeaveFrames(Fiber& self) {
  if (!g_state.stacks_within) MoveTo(self, TopOf(self), kNoPlace);
}

const Fiber* OwnerOfLostFrame(uintptr_t used, uintptr_t plain_pc) {
  const Fiber& self = Current();
  const auto [owner, address] = FindInFrame(used);
  if (owner == nullptr || owner == &self || g_state.stacks_within) return nullptr;
  const uint32_t known = self.clock.At(owner->id);
  if (address < owner->frame) {
    if (!g_state.frame_ends && TickOfReturn(*owner, address) > known) NeedOrders(plain_pc);
    return owner;
  }
  if (g_state.frame_ends) {
    if (plain_pc != 0 && !IsStepAt(plain_pc)) WishLifePlace(plain_pc);
    return nullptr;
  }
  if (MayHaveReturned(*owner, address, known)) NeedOrders(plain_pc);
  NoteUse(self, *owner, address, plain_pc);
  return nullptr;
}

void CommitUseOnStack(uintptr_t used, uintptr_t pc) {
  const auto [owner, address] = FindInFrame(used);
  if (!g_state.frame_ends || owner == nullptr || owner == &Current()) return;
  const op::Operation use{.kind = op::Kind::kUse, .object = address, .pc = pc};
  Commit(use, &LineOf(address), op::Access::kRead);
}

void NoteStackMemory(const void* begin) {
  if (!IsOnStack(reinterpret_cast<uintptr_t>(begin))) return;
  g_state.stacks_within = true;
  for (uint32_t id = 0; id < g_used_fibers; ++id) g_fibers[id].frame = 0;
}

}  // namespace heddle::runtime
