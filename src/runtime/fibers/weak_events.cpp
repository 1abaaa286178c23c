#include "runtime/fibers/weak_events.h"

#include "explain/recorded.h"
#include "runtime/control.h"
#include "runtime/fibers/pool.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/memory/execution_state.h"
#include "runtime/prim/copy.h"
#include "runtime/prim/lifetime.h"

namespace heddle::runtime {

[[HEDDLE_LASTS(
    "of the process; what it has of an execution, BeginWeakExecution forgets")]] WeakMemory* g_weak;

namespace {

// What reads or writes memory that is accessed atomically, by other means than whole words. All
// else is about objects: what orders them is known.
bool IsModelled(op::Kind kind, op::Access access) {
  const op::Family family = op::FamilyOf(kind);
  if (kind == op::Kind::kFutexWoken && access == op::Access::kNone) return true;
  return family != op::Family::kFutex && family != op::Family::kAtomic &&
         family != op::Family::kPlain;
}

// Under tso and c11 an access to several atoms at once, or to a part of one, sees the newest
// writes, and so do futexes and whatever else reads memory that is accessed atomically.
void NoteNotModelled(op::Kind kind) {
  if (ChannelHeader().settings.memory_model == space::MemoryModel::kSc) return;
  char detail[64] = {};
  const char* text = op::Info(kind).text;
  for (size_t i = 0; i + 1 < sizeof detail && text[i] != 0; ++i) detail[i] = text[i];
  NoteIncomplete(Incomplete::kWeakOperation, detail);
}

// The byte by which compiled code sees that an initialisation is done, and nothing else.
bool IsFlagOfOnce(op::Kind kind, const Object& object) {
  return kind == op::Kind::kOnceEnd && object.kind == ObjectKind::kWord && object.atom_bytes == 1;
}

trace::AtomicAccess AccessOf(uint64_t found, uint64_t operand, uint8_t size, uint8_t order) {
  trace::AtomicAccess access = {};
  access.found = found;
  access.operand = operand;
  access.size = size;
  access.order = order;
  return access;
}

// What comes next is an event with that access.
void TellAccess(const trace::AtomicAccess& access) {
  if (g_state.tells_atomics && g_trace->event_count < g_trace->atomic_capacity)
    g_trace->atomics[g_trace->event_count] = access;
}

// A wait, or a wake that moves nobody to another futex.
bool IsFutexOperation(const op::Operation& operation, const Object& object) {
  const bool wakes = operation.kind == op::Kind::kFutexWake && operation.object2 == 0;
  return (wakes || operation.kind == op::Kind::kFutexWait) && object.kind == ObjectKind::kWord &&
         IsFutexWord(object);
}

// A wake: a fence, and what is done under the lock of the queue. Of a wait the lock has been taken,
// and the word was read last.
void TellFutexOperation(const WeakMemory::Who& who, const op::Operation& operation) {
  const bool waits = operation.kind == op::Kind::kFutexWait;
  const uint64_t found = waits ? g_weak->ValueRead() : 0;
  if (!waits) g_weak->Fence(who, __ATOMIC_SEQ_CST);
  g_weak->UseQueue(who, FindObject(operation.object, ObjectKind::kFutex).number);
  TellAccess(AccessOf(found, 0, sizeof(uint32_t), __ATOMIC_RELAXED));
}

uint64_t ValueOf(const Object& object) {
  uint64_t value = 0;
  if (object.kind == ObjectKind::kWord && object.atom_bytes <= sizeof value)
    CopySmall(reinterpret_cast<char*>(&value), reinterpret_cast<const char*>(object.address),
              object.atom_bytes);
  return value;
}

}  // namespace

void InitWeakMemory() {
  using space::MemoryModel;
  const MemoryModel model = ChannelHeader().settings.memory_model;
  // A graph is replayed in an order that need not be sequentially consistent (explore/rf).
  const bool reads_from = ChannelHeader().settings.reduction == space::Reduction::kReadsFrom;
  g_state.weak = model != MemoryModel::kSc || reads_from;
  g_state.tells_atomics = reads_from;
  if (!g_state.weak) return;
  g_weak = new WeakMemory(model::Make(model), 1, g_state.bump);
  AddExecutionTable({.reset = nullptr,  // BeginWeakExecution does that
                     .save = [](base::SavedBytes& to) { g_weak->Save(to); },
                     .restore = [](base::SavedBytesReader& from) { g_weak->Restore(from); }});
}

void BeginWeakExecution() {
  if (g_weak != nullptr) g_weak->BeginExecution(PoolSize());
}

bool IsOnX86() {
  const OutsideExecution outside;
  return explain::IsAllowed(explain::RecordedOf(g_weak->Graph()), *model::MakeTso());
}

void EndTickOfWeakMemory(const Fiber& self) {
  const OutsideExecution outside;
  g_weak->EndTick(self.id);
}

void TellFlagOfOnce(const Fiber& self, const Object& flag) {
  if (!IsFlagOfOnce(op::Kind::kOnceEnd, flag)) return;
  const OutsideExecution outside;
  g_weak->BeginStore(
      WhoIs(self), {flag.number, 0, flag.release},
      {.action = model::Action::kStore, .order = model::Order::kRelease, .operand = 1});
  g_weak->Released().Assign(self.clock, g_state.bump);
}

void TellWoken(op::ThreadId thread) {
  const OutsideExecution outside;
  g_weak->Woken(thread);
}

void EndAtGraphLimit(const Fiber& self, uintptr_t pc) {
  EndAsCut(
      pc,
      "an execution was cut after %zu events of %%T%u%%, at %%L%lx%%, as an execution graph has "
      "room for %u of a thread: a loop that never ends, or a long execution",
      g_weak->Graph().EventsOf(static_cast<model::ThreadId>(self.id)).size(), self.id, pc,
      model::kMostEventsOfThread);
}

void TellWeakMemory(const Fiber& self, const op::Operation& operation, const Object* object,
                    op::Access access) {
  using op::Kind;
  const OutsideExecution outside;
  if (object != nullptr && IsFlagOfOnce(operation.kind, *object))
    return TellAccess(AccessOf(0, 1, 1, __ATOMIC_RELEASE));
  TellAccess({});
  const WeakMemory::Who who = WhoIs(self);
  if (operation.kind == Kind::kAtomicFence) return g_weak->Fence(who, operation.order);
  if (operation.kind == Kind::kThreadCreate) return g_weak->Create(who, operation.other);
  if (object != nullptr && IsFutexOperation(operation, *object))
    return TellFutexOperation(who, operation);
  if (!IsModelled(operation.kind, access)) NoteNotModelled(operation.kind);
  if (op::Has(operation.kind, op::kJoins) &&
      FiberAt(operation.other).state == FiberState::kFinished)
    g_weak->Join(who, operation.other);
  // Who leaves a barrier comes after all who arrived, under every model.
  const bool uses = access != op::Access::kNone || operation.kind == Kind::kBarrierLeave;
  if (object == nullptr || !uses) return;
  static const trace::Clock nothing;
  const bool is_word = object->kind == ObjectKind::kWord;
  g_weak->Use(who, {object->number, ValueOf(*object), is_word ? object->release : nothing});
}

}  // namespace heddle::runtime
