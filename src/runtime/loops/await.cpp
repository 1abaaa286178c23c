#include "runtime/loops/await.h"

#include <algorithm>
#include <new>

#include "base/hash.h"
#include "runtime/fibers/atoms.h"
#include "runtime/fibers/plan_follower.h"
#include "runtime/fibers/table.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/fibers/weak_events.h"
#include "runtime/loops/loop_progress.h"
#include "runtime/loops/recurrence.h"
#include "runtime/loops/run_out.h"
#include "runtime/loops/waiting.h"
#include "runtime/memory/own_heap.h"
#include "runtime/places.h"
#include "runtime/prim/lifetime.h"
#include "runtime/roots.h"
#include "runtime/runtime.h"
#include "runtime/visible.h"

namespace heddle::runtime {
namespace {

[[HEDDLE_LASTS("set once")]] bool added;  // a table of the execution

// Names of states, for the search: the same state has the same name in all its executions. Fixed
// size, because it grows on the way of events; a state that finds no room has no name.
constexpr uint32_t kStates = 1u << 15;
constexpr uint32_t kMostProbes = 32;
// Of a step of the script, where nobody asks for it.
constexpr uint32_t kUnaskedState = kStates + 1;
// The code that ends waits: it goes last, whatever object it writes. A hash set; 0 is free.
constexpr uint32_t kEnders = 256;
// Objects whose additions may be taken to commute, by number.
constexpr uint32_t kMostAdded = 1u << 16;
// Places where loops wait, by their code. Those that find no room are as if never met.
constexpr uint32_t kPlaces = 64;
struct WaitPlace {
  uintptr_t pc;
  bool runs_out;  // rounds of a loop there did (run_out.h)
};
struct States {
  uint64_t keys[kStates];
  WaitPlace places[kPlaces];
  uintptr_t enders[kEnders];
  uint64_t added[kMostAdded / 64];  // they were
};

bool IsAdded(const Object& object) {
  const auto* states = static_cast<const States*>(g_own_heap.Root(kAwaitsRoot));
  if (states == nullptr || object.number >= kMostAdded) return false;
  return (states->added[object.number / 64] >> object.number % 64 & 1) != 0;
}

// Where `pc` is, or would be; null: there is no room.
uintptr_t* SlotOfEnder(uintptr_t pc) {
  auto* states = static_cast<States*>(g_own_heap.Root(kAwaitsRoot));
  if (states == nullptr || pc == 0) return nullptr;
  for (uint32_t probe = 0; probe < kMostProbes; ++probe) {
    uintptr_t& slot = states->enders[((base::Mix(pc) >> 40) + probe) % kEnders];
    if (slot == 0 || slot == pc) return &slot;
  }
  return nullptr;
}

// Null: none is known, and none can be.
WaitPlace* PlaceAt(uintptr_t pc) {
  auto* states = static_cast<States*>(g_own_heap.Root(kAwaitsRoot));
  if (states == nullptr) return nullptr;
  WaitPlace& place = states->places[(base::Mix(pc) >> 40) % kPlaces];
  return place.pc == 0 || place.pc == pc ? &place : nullptr;
}

void NoteRunsOut(uintptr_t pc, bool runs_out) {
  WaitPlace* place = PlaceAt(pc);
  if (place == nullptr) return;
  place->pc = pc;
  place->runs_out |= runs_out;
}

// A state is taken at the latest when the round begins; before that only to know whether the last
// one was vain, whether rounds run out, and by searches that want to see who waits.
bool IsTakenLater(uintptr_t pc) {
  if (!LowestFirst()) return false;
  const WaitPlace* place = PlaceAt(pc);
  return place != nullptr && place->pc == pc && !place->runs_out;
}

uint32_t NameOfState(const Fiber& self, const op::Operation& operation, uint64_t state) {
  auto* states = static_cast<States*>(g_own_heap.Root(kAwaitsRoot));
  if (states == nullptr || state == 0) return 0;
  uint64_t key = state;
  for (const uint64_t word : {uint64_t{self.id}, uint64_t{operation.pc}, uint64_t{operation.object},
                              uint64_t{operation.other}}) {
    key = base::Mix(key ^ word);
  }
  key |= 1;
  for (uint32_t probe = 0; probe < kMostProbes; ++probe) {
    const uint32_t at = (static_cast<uint32_t>(key >> 40) + probe) % kStates;
    if (states->keys[at] == 0) states->keys[at] = key;
    if (states->keys[at] == key) return at + 1;
  }
  return 0;
}

// Is the round that leads to `operation` vain, if the state is the same?
bool ReadOnce(const Fiber& self, const AwaitRound& round, const op::Operation& operation) {
  const TraceBuffers& t = *g_trace;
  if (!IsAt(round.cycle, operation) || self.changes != round.changes) return false;
  if (t.step_count != round.step + 1 || t.event_count == round.first_event) return false;
  uint32_t reads = 0;
  for (uint32_t e = round.first_event; e < t.event_count; ++e) {
    const trace::Event& event = t.events[e];
    const bool yields = event.kind == op::Kind::kYield && event.thread == self.id;
    const bool reads_it = event.thread == self.id && event.access == op::Access::kRead &&
                          event.object == round.object->number && IsAwaitKind(event.kind);
    if (!yields && !reads_it) return false;
    reads += reads_it ? 1 : 0;
  }
  return reads == 1;
}

void TakeBack(Fiber& self, AwaitRound& round) {
  if (g_state.weak) {
    const OutsideExecution outside;
    g_weak->TakeBackTo(round.weak_events);
  }
  TraceBuffers& t = *g_trace;
  t.happens_before = round.happens_before;
  t.state = round.state;
  Object& object = *round.object;
  object.group = round.group;
  self.events = round.events_of_thread;
  self.now = round.now;
  self.wake_hash = round.wake_hash;
  self.clock.Assign(round.clock, g_state.bump);
  self.acquire_at_fence.Assign(round.acquire_at_fence, g_state.bump);
  trace::Step& step = t.steps[round.step];
  step.vain = 1;
  ++t.vain_steps;
  // Levels tell all values apart only up to 32 bits.
  step.repeatable = round.plain || object.atom_bytes > sizeof(op::Level) ? 0 : 1;
}

Object* AtomToLookAt(const op::Operation& operation) {
  if (Object* object = FindAtom(operation.object, operation.size)) return object;
  // Nobody has accessed it yet. Whether somebody did in an earlier execution makes no difference.
  Touches touches;
  touches.Add(operation.object, operation.size, operation.pc);
  return FindAtom(operation.object, operation.size);
}

// From now on additions to it have an order: what a look finds decides whether it is vain.
void NoteAwaited(const Object& object) {
  ObjectName& name = g_trace->objects[object.number];
  if (!name.awaited && IsAdded(object)) WantOrderedAdds();
  name.awaited = true;
}

void Arrive(Fiber& self, const op::Operation& operation) {
  if (self.loops.await == nullptr) {
    self.loops.await = new (g_state.bump.Take(sizeof(AwaitRound))) AwaitRound;
  }
  AwaitRound& round = *self.loops.await;
  const bool runs = round.runs;
  round.runs = round.scripted = false;
  const bool candidate = runs && ReadOnce(self, round, operation);
  round.taken = candidate || !IsTakenLater(operation.pc);
  if (!round.taken) {
    round.runs_out = false;
    round.cycle.state = 0;
    round.state_id = 0;
    return;
  }
  const uint64_t state = LiveStateOf(self, round.dead);
  if (state != 0) NoteRunsOut(operation.pc, round.dead.run_out);
  round.runs_out = round.dead.run_out && state != 0 && FollowsRounds(self, operation);
  if (round.runs_out) {
    round.cycle.state = 0;
    round.state_id = 0;
    return;
  }
  // One that leaves the loop if it is the last: no look in vain.
  const bool vain = candidate && !round.dead.run_out && state != 0 && state == round.cycle.state &&
                    IsRestored(self, round.cycle, round.dead) && TakeHeapBack(self, round.heap);
  round.cycle.state = state;
  round.state_id = NameOfState(self, operation, state);
  round.arrived_at = g_trace->step_count;
  if (!vain) return;
  NoteCallOfRound(CallOutsideLoop(self, round.dead.calls, state));
  const bool stale = g_state.weak && g_weak->AnyStaleSince(round.weak_events);
  TakeBack(self, round);
  g_trace->pending[self.id].object = round.object->number;
  g_trace->pending[self.id].await = round.state_id;
  if (round.last_of_script && EndsIfVain() && !LowestFirst()) EndAsRedundant();
  if (stale) return PassStaleRound();
  // It waits for ever, or the execution is one of those in which it reads what it is woken by.
  round.looks_no_more = round.last_of_script && EndsIfVain();
  WaitForChange(self, round.waits_for, *round.object);
}

// The first step that may yet turn out vain: in which some thread's round began that has not ended.
// If there is none, the number of steps.
uint32_t FirstOpenStep() {
  uint32_t first = g_trace->step_count;
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    const AwaitRound* round = g_fibers[id].loops.await;
    if (g_fibers[id].state != FiberState::kUnused && round != nullptr && round->runs)
      first = std::min(first, round->step);
  }
  return first;
}

// Of the trace's steps, which are only added otherwise.
void SaveOpenSteps(base::SavedBytes& to) {
  const uint32_t open = FirstOpenStep();
  to.Put(open);
  to.Put(g_trace->steps + open, g_trace->step_count - open);
}
void RestoreOpenSteps(base::SavedBytesReader& from) {
  const auto open = from.Get<uint32_t>();
  from.Get(g_trace->steps + open, g_trace->step_count - open);
}

}  // namespace

void InitAwaits() {
  void*& root = g_own_heap.Root(kAwaitsRoot);
  if (root == nullptr) root = g_own_heap.TakeZeroed(sizeof(States));
  if (!added)
    AddExecutionTable({.reset = nullptr, .save = SaveOpenSteps, .restore = RestoreOpenSteps});
  added = true;
}

bool StandsAtAwait(Fiber& self, const op::Operation& operation) {
  g_state.places &= static_cast<uint8_t>(~kWatchPlain);
  if (!IsAwaitKind(operation.kind) || !IsAwaitPlace(operation.pc)) {
    if (self.loops.await != nullptr) {
      AwaitRound& round = *self.loops.await;
      round.runs = round.scripted = round.runs_out = false;
      round.state_id = 0;
    }
    return false;
  }
  Arrive(self, operation);
  return true;
}

void BeginAwaitRound(Fiber& self, const op::Operation& operation) {
  TraceBuffers& t = *g_trace;
  AwaitRound& round = *self.loops.await;
  if (round.looks_no_more) EndAsRedundant();
  const uint32_t step = t.step_count - 1;
  round.runs = round.scripted = false;
  if (round.runs_out) return BeginLastLook(self, operation);
  if (t.steps[step].thread != self.id || t.steps[step].event != t.event_count) return;
  if (round.taken && round.cycle.state == 0) return;
  if (!round.taken && InScript()) {
    round.state_id = kUnaskedState;
  } else if (!round.taken || round.arrived_at != step) {
    // Somebody may have written to its stack.
    const uint64_t state = LiveStateOf(self, round.dead);
    if (!round.taken && state != 0) NoteRunsOut(operation.pc, round.dead.run_out);
    if (state != round.cycle.state) {
      round.cycle.state = state;
      round.state_id = NameOfState(self, operation, state);
    }
  }
  // Without a name the state is not recognised in other executions: what is learnt here is of no
  // use.
  if (round.state_id == 0) return;
  t.steps[step].await = round.state_id;
  Object* object = AtomToLookAt(operation);
  if (object != nullptr) NoteAwaited(*object);
  if (InScript()) {
    round.scripted = true;
    round.yielded = false;
    return;
  }
  if (object == nullptr) return;
  TakeValues(self, round.cycle);
  SetAnchor(round.cycle, operation);
  round.runs = true;
  g_state.places |= kWatchPlain;
  round.plain = round.yielded = false;
  round.last_of_script = IsLastOfScript(step);
  round.first_event = t.event_count;
  round.step = step;
  round.changes = self.changes;
  RememberHeap(self, round.heap);
  round.happens_before = t.happens_before;
  round.state = t.state;
  round.object = object;
  round.group = object->group;
  round.events_of_thread = self.events;
  if (g_state.weak) round.weak_events = g_weak->Events();
  round.now = self.now;
  round.wake_hash = self.wake_hash;
  round.clock.Assign(self.clock, g_state.bump);
  round.acquire_at_fence.Assign(self.acquire_at_fence, g_state.bump);
}

bool ChangesWhatLoopsWaitFor(const Fiber& self) {
  const op::Operation& pending = self.pending;
  if (!op::IsAtomic(pending.kind) || pending.kind == op::Kind::kAtomicLoad) return false;
  const Object* object = LookUpObject(pending.object, ObjectKind::kWord);
  if (object != nullptr && g_trace->objects[object->number].awaited) return true;
  const uintptr_t* slot = SlotOfEnder(pending.pc);
  return slot != nullptr && *slot != 0;
}

bool AddsCommuteAt(const Object& object) {
  auto* states = static_cast<States*>(g_own_heap.Root(kAwaitsRoot));
  if (states == nullptr || object.number >= kMostAdded) return false;
  if (g_trace->objects[object.number].awaited) return false;
  states->added[object.number / 64] |= uint64_t{1} << object.number % 64;
  return true;
}

void NoteEndsWait(const op::Operation& operation) {
  uintptr_t* slot = SlotOfEnder(operation.pc);
  if (slot != nullptr) *slot = operation.pc;
}

bool YieldsInRound(Fiber& self, const op::Operation& operation) {
  if (operation.kind != op::Kind::kYield || self.loops.await == nullptr) return false;
  if (!self.loops.await->runs && !self.loops.await->scripted) return false;
  self.loops.await->yielded = true;
  return true;
}

void NotePlainInRound(const Fiber& self, uintptr_t address, size_t size) {
  if (self.loops.await == nullptr || !self.loops.await->runs ||
      self.loops.await->dead.Has(address, size))
    return;
  self.loops.await->plain = true;
}

void LastOfScriptIsLater() {
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    AwaitRound* round = g_fibers[id].loops.await;
    if (g_fibers[id].state != FiberState::kUnused && round != nullptr)
      round->last_of_script = false;
  }
}

bool RoundYielded(Fiber& self) {
  if (self.loops.await == nullptr || !self.loops.await->yielded) return false;
  self.loops.await->yielded = false;
  return true;
}

}  // namespace heddle::runtime
