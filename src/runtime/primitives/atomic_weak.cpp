// Atomic accesses under tso and c11: what is read, and where a write goes, is chosen among what the
// model allows (weak/weak_memory.h).
#include "runtime/fibers/weak_events.h"
#include "runtime/primitives/atomic.h"
#include "runtime/steps/choice_point.h"
#include "runtime/steps/commit.h"

namespace heddle::runtime {

using model::Action;
using model::Label;

uint64_t AtomicStep::Shown(uint64_t value) const {
  return size_ < sizeof value ? value & ((uint64_t{1} << 8 * size_) - 1) : value;
}

uint64_t AtomicStep::ReadWeak(const Label& label) {
  const Fiber& self = Current();
  uint32_t writes;
  {
    const OutsideExecution outside;
    const WeakMemory::Place place = {object_->number, Shown(static_cast<uint64_t>(Newest()))};
    writes = g_weak->BeginLoad(WhoIs(self), place, label);
  }
  const uint32_t newer = ChooseOption(trace::ChoiceKind::kReadsFrom, writes);
  const OutsideExecution outside;
  g_weak->ReadFrom(newer);
  return g_weak->ValueRead();
}

// A loop that goes round by it does not wait for a change (fibers/spin.h).
void AtomicStep::NoteStale() {
  if (g_weak->ReadsNewest()) return;
  Fiber& self = Current();
  ++self.stale_reads;
  self.windows.quiet.cycle.idle_rounds = 0;
  if (self.loops.restoring != nullptr) self.loops.restoring->cycle.idle_rounds = 0;
}

void AtomicStep::FinishWeakLoad(int order, uint64_t value) {
  AcquireFromObject(order, g_weak->ReleasedByRead());
  CheckRaces(false, order);
  operation_.order = static_cast<uint8_t>(StripOrderHints(order));
  NoteStale();
  TellAccess(value);
  Done(op::Access::kRead, value, value, false);
}

// REQUIRES: its load was made, and `source` is what that released.
void AtomicStep::FinishWeakUpdate(int order, uint64_t read, uint64_t value) {
  Fiber& self = Current();
  const trace::Clock source = g_weak->ReleasedByRead();
  AcquireFromObject(order, source);
  CheckRaces(true, order);
  NoteStale();
  value = Shown(value);
  bool newest;
  {
    const OutsideExecution outside;
    newest = g_weak->EndUpdate(value);
    trace::Clock& released = g_weak->Released();
    released.Clear();
    released.Assign(source, g_state.bump);
    released.Join(Releases(order) ? self.clock : self.release_fence, g_state.bump);
  }
  if (Releases(order)) BeginTick(self);
  if (newest) MemoryModel::WriteWord(operation_.object, value, size_);
  TellAccess(read);
  Done(op::Access::kWrite, read, read, !newest || read != value);
}

uint64_t AtomicStep::LoadWeak(int order) {
  const uint64_t value =
      ReadWeak({.action = Action::kLoad, .order = OrderOf(StripOrderHints(order))});
  FinishWeakLoad(order, value);
  return value;
}

uint64_t AtomicStep::BeginWeakUpdate(int order) {
  return ReadWeak({.action = Action::kUpdate, .order = OrderOf(StripOrderHints(order))});
}

void AtomicStep::EndWeakUpdate(int order, uint64_t value) {
  FinishWeakUpdate(order, g_weak->ValueRead(), value);
}

uint64_t AtomicStep::CompareExchangeWeak(uint64_t expected, uint64_t desired, int order,
                                         int failure_order) {
  const uint64_t value = ReadWeak({.action = Action::kUpdate,
                                   .order = OrderOf(StripOrderHints(order)),
                                   .failure = OrderOf(StripOrderHints(failure_order)),
                                   .update = model::Update::kCompareExchange,
                                   .operand = Shown(desired),
                                   .expected = Shown(expected)});
  if (value == Shown(expected))
    FinishWeakUpdate(order, value, desired);
  else
    FinishWeakLoad(failure_order, value);
  return value;
}

void AtomicStep::StoreWeak(uint64_t value, int order) {
  Fiber& self = Current();
  value = Shown(value);
  const auto old = Shown(static_cast<uint64_t>(Newest()));
  uint32_t places;
  {
    const OutsideExecution outside;
    places = g_weak->BeginStore(WhoIs(self), {object_->number, old},
                                {.action = Action::kStore,
                                 .order = OrderOf(StripOrderHints(order)),
                                 .continues_own_sequences = ContinuesOwn(order),
                                 .operand = value});
  }
  const uint32_t newer = ChooseOption(trace::ChoiceKind::kStoresBefore, places);
  bool newest;
  {
    const OutsideExecution outside;
    newest = g_weak->PlaceBefore(newer);
    trace::Clock& released = g_weak->Released();
    released.Clear();
    released.Assign(Releases(order) ? self.clock : self.release_fence, g_state.bump);
    if (ContinuesOwn(order) && g_weak->JoinOwn(released, g_state.bump))
      NoteIncomplete(Incomplete::kWeakOperation,
                     "continues a release sequence between stores of others");
  }
  CheckRaces(true, order);
  if (Releases(order)) BeginTick(self);
  if (newest) MemoryModel::WriteWord(operation_.object, value, size_);
  TellAccess(old);
  Done(op::Access::kWrite, old, value, !newest || old != value);
}

}  // namespace heddle::runtime
