#include "runtime/objects/atomic.h"

#include "runtime/objects/plain.h"

namespace heddle::runtime {
namespace {

// The compilers put hints beside the order.
int Plainly(int order) { return order & 7; }

bool Acquires(int order) {
  order = Plainly(order);
  return order == __ATOMIC_CONSUME || order == __ATOMIC_ACQUIRE || order == __ATOMIC_ACQ_REL ||
         order == __ATOMIC_SEQ_CST;
}

bool Releases(int order) {
  order = Plainly(order);
  return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

}  // namespace

AtomicStep::AtomicStep(op::Kind kind, const volatile void* address, unsigned size, int order,
                       uint64_t operand, uintptr_t pc, uint8_t detail)
    : operation_{.kind = kind,
                 .size = static_cast<uint8_t>(size),
                 .order = static_cast<uint8_t>(Plainly(order)),
                 .detail = detail,
                 .object = reinterpret_cast<uintptr_t>(address),
                 .operand = operand,
                 .pc = pc},
      size_(size),
      object_(FindObject(operation_.object, ObjectKind::kWord)) {
  Reach(operation_, nullptr);
}

void AtomicStep::CheckRaces(bool write) {
  const Fiber& self = Current();
  if (!g_state.several_threads || !g_state.check_races || self.ignore_depth != 0) return;
  check::AtomicAccess(AccessorOf(self), operation_.object, size_, write, operation_.pc);
}

void AtomicStep::Acquire(int order) {
  Fiber& self = Current();
  if (object_.release.Empty()) return;
  if (Acquires(order))
    AcquireFrom(self, object_.release);
  else
    self.acquire_pending.Join(object_.release, g_state.bump);
}

// Under --points all the plain accesses of the aligned word must meet the atomic ones
// (objects/plain.cpp).
void AtomicStep::Done(op::Access access, uint64_t old_value, uint64_t value, bool changed) {
  object_.level = op::Fold(old_value);
  constexpr uintptr_t kWordBytes = 8;
  const Effect effect = changed ? Effect::kChanges : Effect::kLeavesAsItWas;
  Commit(operation_, &object_, access, value, 0, effect);
  if (__builtin_expect(g_state.all_points && operation_.object % kWordBytes != 0, 0))
    Commit(operation_, &FindObject(operation_.object & ~(kWordBytes - 1), ObjectKind::kWord),
           access, value, 0, effect);
}

void AtomicStep::Loaded(int order, uint64_t value) {
  Acquire(order);
  CheckRaces(false);
  operation_.order = static_cast<uint8_t>(Plainly(order));
  Done(op::Access::kRead, value, value, false);
}

void AtomicStep::Stored(int order, uint64_t old_value, uint64_t value, bool changed) {
  Fiber& self = Current();
  CheckRaces(true);
  if (Releases(order))
    ReleaseAs(self, object_.release);
  else
    object_.release.Assign(self.release_fence, g_state.bump);
  Done(op::Access::kWrite, old_value, value, changed);
}

void AtomicStep::Updated(int order, uint64_t old_value, bool changed) {
  Fiber& self = Current();
  Acquire(order);
  CheckRaces(true);
  if (Releases(order))
    ReleaseInto(self, object_.release);
  else
    object_.release.Join(self.release_fence, g_state.bump);
  Done(op::Access::kWrite, old_value, old_value, changed);
}

void AtomicFence(int order, uintptr_t pc) {
  if (!InExecution()) return HostFence();
  const op::Operation operation{
      .kind = op::Kind::kAtomicFence, .order = static_cast<uint8_t>(Plainly(order)), .pc = pc};
  Reach(operation, nullptr);
  Fiber& self = Current();
  if (Acquires(order)) AcquireFrom(self, self.acquire_pending);
  if (Releases(order)) ReleaseAs(self, self.release_fence);
  Commit(operation, nullptr, op::Access::kNone);
}

}  // namespace heddle::runtime
