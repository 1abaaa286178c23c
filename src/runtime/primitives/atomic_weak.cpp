// Atomic accesses under tso and c11: what is read, and where a write goes, is chosen among what the
// model allows (weak/weak_memory.h).
#include "runtime/fibers/trace_buffers.h"
#include "runtime/fibers/weak_events.h"
#include "runtime/prim/copy.h"
#include "runtime/primitives/atomic.h"
#include "runtime/steps/choice_point.h"
#include "runtime/steps/commit.h"

namespace heddle::runtime {

using model::Action;
using model::Label;

namespace {

void NoteLimits() {
  if (g_weak->LimitedByTime())
    NoteIncomplete(Incomplete::kWeakOperation, "waits until time has passed");
}

// A loop that goes round by it does not wait for a change (fibers/spin.h).
void NoteStale() {
  if (g_weak->ReadsNewest()) return;
  Fiber& self = Current();
  ++self.stale_reads;
  self.windows.quiet.cycle.idle_rounds = 0;
  if (self.loops.restoring != nullptr) self.loops.restoring->cycle.idle_rounds = 0;
}

}  // namespace

uint32_t ReadFutexWeak(const Object& atom, uint32_t queue) {
  const WeakMemory::Who who = WhoIs(Current());
  uint32_t newest = 0;
  CopySmall(reinterpret_cast<char*>(&newest), reinterpret_cast<const char*>(atom.address),
            sizeof newest);
  uint32_t writes;
  {
    const OutsideExecution outside;
    g_weak->Fence(who, __ATOMIC_SEQ_CST);
    g_weak->UseQueue(who, queue);
    writes = g_weak->BeginLoad(who, {atom.number, newest, atom.release}, {.action = Action::kLoad});
  }
  NoteLimits();
  const uint32_t newer = ChooseOption(trace::ChoiceKind::kReadsFrom, writes);
  const OutsideExecution outside;
  g_weak->ReadFrom(newer);
  NoteStale();
  return static_cast<uint32_t>(g_weak->ValueRead());
}

uint64_t AtomicStep::Shown(uint64_t value) const {
  return size_ < sizeof value ? value & ((uint64_t{1} << 8 * size_) - 1) : value;
}

// REQUIRES: the event comes next.
void AtomicStep::TellAccess(uint64_t found, const Asked& asked) {
  TraceBuffers& t = *g_trace;
  if (!g_state.tells_atomics || t.event_count >= t.atomic_capacity) return;
  t.atomics[t.event_count] = {.found = found,
                              .operand = Shown(operation_.operand),
                              .expected = Shown(asked.expected),
                              .size = static_cast<uint8_t>(size_),
                              .failure = static_cast<uint8_t>(StripOrderHints(asked.failure)),
                              .order = static_cast<uint8_t>(StripOrderHints(asked.order)),
                              .fetch = operation_.detail,
                              .continues = operation_.kind == op::Kind::kAtomicStore &&
                                           !Releases(asked.order) && ContinuesOwn(asked.order)};
}

uint64_t AtomicStep::ReadWeak(const Label& label) {
  const Fiber& self = Current();
  uint32_t writes;
  {
    const OutsideExecution outside;
    writes = g_weak->BeginLoad(
        WhoIs(self), {object_->number, Shown(static_cast<uint64_t>(Newest())), object_->release},
        label);
  }
  NoteLimits();
  const uint32_t newer = ChooseOption(trace::ChoiceKind::kReadsFrom, writes);
  const OutsideExecution outside;
  g_weak->ReadFrom(newer);
  return g_weak->ValueRead();
}

const trace::Clock& AtomicStep::ReleasedToRead() const {
  return g_weak->ReadsForeign() ? object_->release : g_weak->ReleasedByRead();
}

void AtomicStep::FinishWeakLoad(int order, uint64_t value, const Asked& asked) {
  AcquireFromObject(order, ReleasedToRead());
  CheckRaces(false, order);
  operation_.order = static_cast<uint8_t>(StripOrderHints(order));
  NoteStale();
  TellAccess(value, asked);
  Done(op::Access::kRead, value, value, false);
}

// The write that was made last is the newest, with that value.
void AtomicStep::WriteThrough(uint64_t value) {
  MemoryModel::WriteWord(operation_.object, value, size_);
  // To whatever reads memory by other means than this file's: futexes, accesses to several atoms.
  object_->release.Assign(g_weak->Released(), g_state.bump);
  object_->heads = {};  // heads are what was written by those other means
}

// REQUIRES: its load was made, and `source` is what that released.
void AtomicStep::FinishWeakUpdate(uint64_t read, uint64_t value, const Asked& asked) {
  const int order = asked.order;
  Fiber& self = Current();
  const trace::Clock source = ReleasedToRead();
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
  if (newest) WriteThrough(value);
  TellAccess(read, asked);
  // One that writes what it has read, as a failed attempt at a lock, leads nowhere (spin.h).
  Done(op::Access::kWrite, read, read, read != value);
}

uint64_t AtomicStep::LoadWeak(int order) {
  const uint64_t value =
      ReadWeak({.action = Action::kLoad, .order = model::OrderOf(StripOrderHints(order))});
  FinishWeakLoad(order, value, {order, order, 0});
  return value;
}

uint64_t AtomicStep::BeginWeakUpdate(int order) {
  return ReadWeak({.action = Action::kUpdate, .order = model::OrderOf(StripOrderHints(order))});
}

void AtomicStep::EndWeakUpdate(int order, uint64_t value) {
  FinishWeakUpdate(g_weak->ValueRead(), value, {order, order, 0});
}

uint64_t AtomicStep::CompareExchangeWeak(uint64_t expected, uint64_t desired, int order,
                                         int failure_order) {
  const uint64_t value = ReadWeak({.action = Action::kUpdate,
                                   .order = model::OrderOf(StripOrderHints(order)),
                                   .failure = model::OrderOf(StripOrderHints(failure_order)),
                                   .update = model::Update::kCompareExchange,
                                   .operand = Shown(desired),
                                   .expected = Shown(expected)});
  const Asked asked = {order, failure_order, expected};
  if (value == Shown(expected))
    FinishWeakUpdate(value, desired, asked);
  else
    FinishWeakLoad(failure_order, value, asked);
  return value;
}

void AtomicStep::StoreWeak(uint64_t value, int order) {
  Fiber& self = Current();
  value = Shown(value);
  const auto old = Shown(static_cast<uint64_t>(Newest()));
  uint32_t places;
  {
    const OutsideExecution outside;
    places = g_weak->BeginStore(WhoIs(self), {object_->number, old, object_->release},
                                {.action = Action::kStore,
                                 .order = model::OrderOf(StripOrderHints(order)),
                                 .continues_own_sequences = !Releases(order) && ContinuesOwn(order),
                                 .operand = value});
  }
  NoteLimits();
  const uint32_t newer = ChooseOption(trace::ChoiceKind::kStoresBefore, places);
  bool newest;
  {
    const OutsideExecution outside;
    newest = g_weak->PlaceBefore(newer);
    trace::Clock& released = g_weak->Released();
    released.Clear();
    released.Assign(Releases(order) ? self.clock : self.release_fence, g_state.bump);
    if (!Releases(order) && ContinuesOwn(order)) {
      if (g_weak->JoinOwn(released))
        NoteIncomplete(Incomplete::kWeakOperation,
                       "continues a release sequence between stores of others");
      if (object_->heads.by == self.id + 1) released.Join(object_->release, g_state.bump);
    }
  }
  CheckRaces(true, order);
  if (Releases(order)) BeginTick(self);
  if (newest) WriteThrough(value);
  TellAccess(old, {order, order, 0});
  Done(op::Access::kWrite, old, value, !newest || old != value);
}

}  // namespace heddle::runtime
