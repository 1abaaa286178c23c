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
bool IsModelled(op::Kind kind) {
  const op::Family family = op::FamilyOf(kind);
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
  if (g_state.tells_atomics && g_trace->event_count < g_trace->atomic_capacity)
    g_trace->atomics[g_trace->event_count].size = 0;
  const WeakMemory::Who who = WhoIs(self);
  if (operation.kind == Kind::kAtomicFence) return g_weak->Fence(who, operation.order);
  if (operation.kind == Kind::kThreadCreate) return g_weak->Create(who, operation.other);
  if (!IsModelled(operation.kind)) NoteNotModelled(operation.kind);
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
