#include "runtime/primitives/atomic.h"

#include "runtime/fibers/trace_buffers.h"
#include "runtime/fibers/weak_events.h"
#include "runtime/loops/await.h"
#include "runtime/objects/table.h"
#include "runtime/primitives/plain.h"
#include "runtime/steps/commit.h"
#include "runtime/steps/object_use.h"
#include "runtime/steps/scheduler.h"
#include "runtime/visible.h"

namespace heddle::runtime {
namespace {

void StoredRelaxed(Object& object, int order) {
  const Fiber& self = Current();
  if (!ContinuesOwn(order) || !g_state.check_races)  // nobody asks what is released otherwise
    return trace::EndSequences(object.release, object.heads, self.id, self.release_fence,
                               g_state.bump);
  if (!trace::ContinueOwnSequences(object.release, object.heads, self.id, self.release_fence,
                                   g_state.bump))
    NeedSharesApart();
}

}  // namespace

AtomicStep::AtomicStep(op::Kind kind, const volatile void* address, unsigned size, Orders orders,
                       uint64_t operand, uintptr_t pc, uint8_t detail)
    : operation_{.kind = kind,
                 .size = static_cast<uint8_t>(size),
                 .order = static_cast<uint8_t>(StripOrderHints(orders.order)),
                 .detail = detail,
                 .object = reinterpret_cast<uintptr_t>(address),
                 .operand = operand,
                 .pc = pc},
      orders_(orders),
      size_(size) {
  if (__builtin_expect(g_state.order_overrides, 0)) RunAsAsked();
  Reach(operation_, nullptr);
  if (size <= kShownBytes) object_ = FindAtom(operation_.object, size);
  if (__builtin_expect(object_ == nullptr, 0)) {
    touches_.Add(operation_.object, size, pc);
    // The first access of all makes the atom, and has to be the same as later ones.
    if (g_state.weak && size <= kShownBytes) object_ = FindAtom(operation_.object, size);
  }
  if (__builtin_expect(IsOfThread(operation_.object), 0)) UseStack();
  if (IsOnHeap(operation_.object) &&
      (IsRangeOutOfBounds(operation_.object, size_) || LooksForUnwritten()))
    JudgeOnHeap();
}

void AtomicStep::RunAsAsked() {
  const RunAs run = RunAsOf(operation_.kind, orders_, operation_.pc);
  if (run.fence_before != __ATOMIC_RELAXED) MakeFence(run.fence_before, operation_.pc);
  orders_ = run.orders;
  operation_.order = static_cast<uint8_t>(StripOrderHints(orders_.order));
}

// An access to a frame that has returned is judged before it is made: it might change heddle's own
// frames, which may lie there now.
void AtomicStep::UseStack() {
  const Fiber* const owner = OwnerOfLostFrame(operation_.object);
  if (owner == nullptr) return;
  CommitWithoutEffect();
  EndAccessToFrame(operation_, *owner);
}

// Likewise: it might change the header of a block. What was freed is judged by who asks for it.
void AtomicStep::JudgeOnHeap() {
  if (Current().ignore_depth != 0) return;
  if (IsRangeOutOfBounds(operation_.object, size_)) {
    if (!IsOutsideBlocks(operation_.object, size_)) return;
    CommitWithoutEffect();
    EndBadAccess(operation_, size_);
  } else if (operation_.kind != op::Kind::kAtomicStore && IsUnwritten(operation_.object, size_)) {
    CommitWithoutEffect();
    EndUninitialisedRead(operation_);
  }
}

void AtomicStep::CommitWithoutEffect() {
  operation_.detail |= op::kNoEffect;
  const op::Access access = op::Info(operation_.kind).access;
  TellIfWeak(access);
  if (object_ == nullptr)
    CommitTouches(operation_, touches_, access, 0, 0, Effect::kLeavesAsItWas);
  else
    Commit(operation_, object_, access, 0, 0, Effect::kLeavesAsItWas);
}

void AtomicStep::CheckRaces(bool write, int order) {
  Fiber& self = Current();
  if (__builtin_expect(g_state.recording, 0)) self.checked_tick = self.tick;
  if (self.ignore_depth != 0) return;
  if (!g_state.several_threads || !g_state.check_races) {
    freed_ = check::IsFreed(operation_.object, size_);
    return;
  }
  freed_ =
      check::AtomicAccess(AccessorOf(self), operation_.object, size_, write, operation_.pc,
                          StripOrderHints(order) == __ATOMIC_SEQ_CST ? check::AccessMode::kSeqCst
                                                                     : check::AccessMode::kWeak);
}

template <typename F>
void AtomicStep::ForEachObject(F f) {
  if (__builtin_expect(object_ != nullptr, 1)) return f(*object_);
  for (uint32_t i = 0; i < touches_.Count(); ++i) f(touches_.ObjectOf(i));
}

void AtomicStep::AcquireFromObject(int order, const trace::Clock& release) {
  Fiber& self = Current();
  if (release.Empty()) return;
  if (Acquires(order))
    AcquireFrom(self, release);
  else
    self.acquire_at_fence.Join(release, g_state.bump);
}

void AtomicStep::Acquire(int order) {
  ForEachObject([&](const Object& object) { AcquireFromObject(order, object.release); });
}

void AtomicStep::Done(op::Access access, uint64_t old_value, uint64_t value, bool changed) {
  const Effect effect = changed ? Effect::kChanges : Effect::kLeavesAsItWas;
  if (!changed && access == op::Access::kWrite) operation_.detail |= op::kNoEffect;
  if (__builtin_expect(object_ == nullptr, 0)) {
    CommitTouches(operation_, touches_, access, value, 0, effect);
  } else {
    object_->level = op::Fold(old_value);
    Commit(operation_, object_, access, value, 0, effect, expected_);
  }
  if (__builtin_expect(g_state.frame_ends, 0)) CommitUseOnStack(operation_.object, operation_.pc);
  if (__builtin_expect(freed_, 0)) EndBadAccess(operation_, size_);
}

// Of an atom of an odd size.
void AtomicStep::TellIfWeak(op::Access access) {
  if (__builtin_expect(g_state.weak, 0) && object_ != nullptr)
    TellWeakMemory(Current(), operation_, object_, access);
}

void AtomicStep::Loaded(int order, uint64_t value) {
  TellIfWeak(op::Access::kRead);
  Acquire(order);
  CheckRaces(false, order);
  operation_.order = static_cast<uint8_t>(StripOrderHints(order));
  Done(op::Access::kRead, value, value, false);
}

void AtomicStep::Stored(int order, uint64_t old_value, uint64_t value, bool changed) {
  Fiber& self = Current();
  TellIfWeak(op::Access::kWrite);
  CheckRaces(true, order);
  if (Releases(order)) {
    ForEachObject([&](Object& object) {
      trace::EndSequences(object.release, object.heads, self.id, self.clock, g_state.bump);
    });
    BeginTick(self);
  } else {
    ForEachObject([&](Object& object) { StoredRelaxed(object, order); });
  }
  Done(op::Access::kWrite, old_value, value, changed);
}

void AtomicStep::Updated(int order, uint64_t old_value, bool changed) {
  Fiber& self = Current();
  TellIfWeak(op::Access::kWrite);
  Acquire(order);
  CheckRaces(true, order);
  const trace::Clock& released = Releases(order) ? self.clock : self.release_fence;
  ForEachObject([&](Object& object) {
    trace::ContinueSequences(object.release, object.heads, self.id, released, g_state.bump,
                             g_state.shares_apart);
  });
  if (Releases(order)) BeginTick(self);
  Done(op::Access::kWrite, old_value, old_value, changed);
}

void AtomicStep::Added(int order, op::Level old_value, op::Level delta) {
  // The first access of all makes the atom, and has to be the same as later ones.
  if (object_ == nullptr) object_ = FindAtom(operation_.object, size_);
  if (delta == 0 || object_ == nullptr || g_state.takes_states || g_state.weak ||
      !AddsCommuteAt(*object_))
    return Updated(order, old_value, delta != 0);
  Fiber& self = Current();
  trace::Clock& before = object_->reader_release;  // what was released before the group
  if (object_->group.access != op::Access::kShared) {
    before.Clear();
    before.Assign(object_->release, g_state.bump);
  }
  AcquireFromObject(order, before);
  CheckRaces(true, order);
  const trace::Clock& released = Releases(order) ? self.clock : self.release_fence;
  trace::ContinueSequences(object_->release, object_->heads, self.id, released, g_state.bump,
                           g_state.shares_apart);
  if (Releases(order)) BeginTick(self);
  expected_ = delta;
  Done(op::Access::kShared, old_value, old_value, true);
}

// As an event shows it.
uint64_t FirstWord(const void* value, size_t size) {
  uint64_t word = 0;
  CopySmall(reinterpret_cast<char*>(&word), static_cast<const char*>(value),
            size < sizeof word ? size : sizeof word);
  return word;
}

Word128 AtomicStep::Newest() const {
  Word128 value = 0;
  MemoryModel::ReadBytes(operation_.object, &value, size_ < sizeof value ? size_ : sizeof value);
  return value;
}

void AtomicStep::LoadBytes(void* value) {
  MemoryModel::ReadBytes(operation_.object, value, size_);
  Loaded(orders_.order, FirstWord(value, size_));
}

void AtomicStep::StoreBytes(const void* value) {
  const auto old_value = static_cast<uint64_t>(Newest());
  MemoryModel::WriteBytes(operation_.object, value, size_);
  Stored(orders_.order, old_value, FirstWord(value, size_));
}

void AtomicStep::ExchangeBytes(const void* value, void* found) {
  MemoryModel::ReadBytes(operation_.object, found, size_);
  MemoryModel::WriteBytes(operation_.object, value, size_);
  Updated(orders_.order, FirstWord(found, size_));
}

bool AtomicStep::CompareExchangeBytes(void* expected, const void* desired) {
  ExpectsBytes(expected);
  const bool equal = MemoryModel::Holds(operation_.object, expected, size_);
  if (equal) {
    MemoryModel::WriteBytes(operation_.object, desired, size_);
    Updated(orders_.order, FirstWord(expected, size_));
  } else {
    MemoryModel::ReadBytes(operation_.object, expected, size_);
    Loaded(orders_.failure, FirstWord(expected, size_));
  }
  return equal;
}

void AtomicFence(int order, uintptr_t pc) {
  if (!InExecution()) return HostFence();
  if (__builtin_expect(g_state.order_overrides, 0))
    order = RunAsOf(op::Kind::kAtomicFence, order, pc).orders.order;
  MakeFence(order, pc);
}

void MakeFence(int order, uintptr_t pc) {
  const op::Operation operation{.kind = op::Kind::kAtomicFence,
                                .order = static_cast<uint8_t>(StripOrderHints(order)),
                                .pc = pc};
  Reach(operation, nullptr);
  Fiber& self = Current();
  if (Acquires(order)) AcquireFrom(self, self.acquire_at_fence);
  if (Releases(order)) ReleaseAs(self, self.release_fence);
  Commit(operation, nullptr, op::Access::kNone);
}

}  // namespace heddle::runtime
