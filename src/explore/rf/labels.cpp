#include "explore/rf/labels.h"

#include <algorithm>
#include <iterator>

namespace heddle::explore::rf {

using model::Action;
using model::Label;
using op::Kind;

namespace {

model::Update UpdateOf(Kind kind, uint8_t fetch) {
  if (kind == Kind::kAtomicExchange) return model::Update::kExchange;
  if (kind == Kind::kAtomicCompareExchange) return model::Update::kCompareExchange;
  constexpr model::Update kUpdates[] = {model::Update::kAdd, model::Update::kAdd,
                                        model::Update::kAnd, model::Update::kOr,
                                        model::Update::kXor, model::Update::kNand};
  return kUpdates[fetch];
}

Label AccessOf(const trace::Event& event, const trace::AtomicAccess& access) {
  Label label;
  label.order = model::OrderOf(access.order);
  label.failure = model::OrderOf(access.failure);
  label.location = KeyOf(event.object);
  label.bytes = access.size;
  label.operand = access.operand;
  label.expected = access.expected;
  label.continues_own_sequences = access.continues;
  label.action = ActionOf(event.kind);
  if (label.action == Action::kUpdate) {
    label.update = UpdateOf(event.kind, access.fetch);
    const bool subtracts =
        event.kind == Kind::kAtomicFetch && access.fetch == static_cast<uint8_t>(op::Fetch::kSub);
    if (subtracts) label.operand = -label.operand;
  }
  return label;
}

// What the standards say that it acquires and releases. `second`: of what gives up a mutex, that.
model::Order SynchronisationOf(Kind kind, bool second) {
  using op::Family;
  const Family family = op::FamilyOf(kind);
  if (kind == Kind::kSemPost || kind == Kind::kOnceEnd) return model::Order::kRelease;
  if (kind == Kind::kSemGetValue) return model::Order::kRelaxed;
  if (family == Family::kBarrier) return model::Order::kAcqRel;
  if (family == Family::kCondition) return second ? model::Order::kRelease : model::Order::kRelaxed;
  const bool is_lock = family == Family::kMutex || family == Family::kRwLock ||
                       family == Family::kSpinLock || family == Family::kSemaphore ||
                       family == Family::kOnce;
  if (!is_lock) return model::Order::kRelaxed;
  const bool gives_back = op::Has(kind, op::kLocks) && op::GivesBack(kind);
  return gives_back ? model::Order::kRelease : model::Order::kAcquire;
}

model::Needs NeedsOf(Kind kind) {
  switch (op::Info(kind).needs) {
    case op::Needs::kNothing:
      return model::Needs::kNothing;
    case op::Needs::kFree:
      return model::Needs::kZero;
    case op::Needs::kNoWriter:
      return model::Needs::kNotWriter;
    case op::Needs::kPositive:
      return model::Needs::kPositive;
    case op::Needs::kExpected:
    case op::Needs::kWoken:
    case op::Needs::kOutside:
      return model::Needs::kUnknown;
  }
  return model::Needs::kUnknown;
}

Label UseOf(Kind kind, uint32_t object, op::Level level, bool second) {
  Label label;
  label.action = Action::kUse;
  label.order = SynchronisationOf(kind, second);
  label.location = KeyOf(object);
  label.level = level;
  label.needs = second ? model::Needs::kNothing : NeedsOf(kind);
  label.shared = label.needs == model::Needs::kNotWriter;
  label.blocks = op::Has(kind, op::kBlocks);
  label.ends_program = kind == Kind::kProgramExit;
  // A lock that its owner may lock again.
  if (!model::IsEnabled(label, level)) label.needs = model::Needs::kUnknown;
  return label;
}

bool HasAccess(const trace::Execution& execution, size_t event) {
  return event < execution.atomics.size() && execution.atomics[event].size != 0;
}

// The end of an initialisation, by which compiled code sees that it is done: a store of the flag,
// and then the use. So whoever comes after the end knows of the store.
void LabelsOfOnceEnd(const trace::Execution& execution, size_t index, std::vector<Label>& labels) {
  const trace::AtomicAccess& access = execution.atomics[index];
  const trace::AccessList accesses = execution.AccessesOf(index);
  labels.push_back({.action = Action::kStore,
                    .order = model::OrderOf(access.order),
                    .bytes = access.size,
                    .location = KeyOf(accesses[1].object),
                    .operand = access.operand});
  labels.push_back(UseOf(Kind::kOnceEnd, accesses[0].object, accesses[0].level, false));
}

bool IsFutexOperation(const trace::Execution& execution, size_t index) {
  const Kind kind = execution.events[index].kind;
  return (kind == Kind::kFutexWait || kind == Kind::kFutexWake) && HasAccess(execution, index);
}

// A futex, as the kernel makes it: behind a fence, under the lock of the queue of those who sleep
// there. A wait compares the word between locking and unlocking; it waits for the lock no longer
// than for what it reads, so the step is the load's. A wake is one use.
void LabelsOfFutex(const trace::Execution& execution, size_t index, std::vector<Label>& labels) {
  const uint32_t word = execution.AccessesOf(index)[0].object;
  labels.push_back({.action = Action::kFence, .order = model::Order::kSeqCst});
  Label lock;
  lock.action = Action::kUse;
  lock.order = model::Order::kAcqRel;
  lock.location = QueueOf(word);
  lock.needs = model::Needs::kZero;
  lock.blocks = true;
  if (execution.events[index].kind == Kind::kFutexWake) return labels.push_back(lock);
  lock.order = model::Order::kAcquire;
  lock.leaves_step = true;
  labels.push_back(lock);
  labels.push_back(
      {.action = Action::kLoad, .bytes = execution.atomics[index].size, .location = KeyOf(word)});
  labels.push_back({.action = Action::kUse,
                    .order = model::Order::kRelease,
                    .location = QueueOf(word),
                    .level = 1});
}

}  // namespace

bool IsAccess(const trace::Execution& execution, size_t event) {
  return HasAccess(execution, event) && op::IsAtomic(execution.events[event].kind);
}

model::Action ActionOf(op::Kind kind) {
  if (kind == Kind::kAtomicLoad) return Action::kLoad;
  return kind == Kind::kAtomicStore ? Action::kStore : Action::kUpdate;
}

void LabelsOf(const trace::Execution& execution, size_t index, std::vector<Label>& labels) {
  const trace::Event& event = execution.events[index];
  labels.clear();
  if (IsAccess(execution, index))
    return labels.push_back(AccessOf(event, execution.atomics[index]));
  if (event.kind == Kind::kAtomicFence)
    return labels.push_back({.action = Action::kFence, .order = model::OrderOf(event.order)});
  if (event.kind == Kind::kThreadCreate)
    return labels.push_back(
        {.action = Action::kCreate, .other = static_cast<model::ThreadId>(event.other)});
  const trace::AccessList accesses = execution.AccessesOf(index);
  if (event.kind == Kind::kOnceEnd && HasAccess(execution, index) && accesses.size() == 2)
    return LabelsOfOnceEnd(execution, index, labels);
  if (IsFutexOperation(execution, index)) return LabelsOfFutex(execution, index, labels);
  for (size_t i = 0; i < accesses.size(); ++i) {
    labels.push_back(UseOf(event.kind, accesses[i].object, accesses[i].level, i != 0));
    // What fails orders nothing. To find an initialisation done is no failure. What fails because
    // of the object's level may succeed elsewhere in the chain, and then it does order.
    const bool by_level = !model::Succeeds(labels.back(), accesses[i].level);
    if (event.access == op::Access::kRead && event.kind != Kind::kOnceBegin && !by_level)
      labels.back().order = model::Order::kRelaxed;
  }
  // Last: that it might have come before the other thread's end, as an attempt may, is the use's.
  if (op::Has(event.kind, op::kJoins) && event.value == 0)
    labels.push_back({.action = Action::kJoin, .other = static_cast<model::ThreadId>(event.other)});
  if (labels.empty()) labels.push_back({.action = Action::kFence});
}

Label LabelOf(const trace::Pending& pending) {
  const bool waits = pending.object != trace::kNoObject && op::Has(pending.kind, op::kBlocks) &&
                     !op::Has(pending.kind, op::kJoins) && !op::IsAtomic(pending.kind);
  if (!waits) return {};
  if (pending.kind == Kind::kFutexWoken) return {};  // it waits for a thread
  if (pending.kind == Kind::kCondReacquire && (pending.detail & 1) == 0) return {};
  Label label;
  label.action = Action::kUse;
  label.order = SynchronisationOf(pending.kind, false);
  label.location = KeyOf(pending.object);
  label.needs = NeedsOf(pending.kind);
  label.shared = label.needs == model::Needs::kNotWriter;
  label.blocks = true;
  return label;
}

bool IsModelled(const trace::Execution& execution, size_t index) {
  const trace::Event& event = execution.events[index];
  if ((event.detail & op::kTimed) != 0) return false;
  using op::Family;
  const Family family = op::FamilyOf(event.kind);
  if (family == Family::kAtomic) return IsAccess(execution, index);
  if (family == Family::kFutex)
    return IsFutexOperation(execution, index) ||
           (event.kind == Kind::kFutexWoken && event.access == op::Access::kNone);
  constexpr Family kModelled[] = {Family::kThread,    Family::kSchedule, Family::kProgram,
                                  Family::kMutex,     Family::kRwLock,   Family::kCondition,
                                  Family::kSemaphore, Family::kBarrier,  Family::kSpinLock,
                                  Family::kOnce,      Family::kFence,    Family::kObject};
  return std::ranges::find(kModelled, family) != std::end(kModelled) && !op::IsFrame(event.kind);
}

}  // namespace heddle::explore::rf
