#include "runtime/fibers/joint_cycle.h"

#include <algorithm>

#include "base/hash.h"
#include "op/dependence.h"
#include "runtime/bounded_text.h"
#include "runtime/control.h"
#include "runtime/fibers/atoms.h"
#include "runtime/fibers/plan_follower.h"
#include "runtime/fibers/recurrence.h"
#include "runtime/fibers/schedule.h"
#include "runtime/fibers/scheduler.h"
#include "runtime/fibers/table.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/memory/execution_state.h"
#include "runtime/memory/rewind.h"
#include "runtime/memory/tables.h"
#include "runtime/objects/enabled.h"
#include "runtime/objects/table.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/readable.h"
#include "runtime/record.h"
#include "runtime/runtime.h"
#include "runtime/visible.h"

namespace heddle::runtime {
namespace {

using base::MixTwo;

constexpr uint32_t kThreads = 64;
constexpr uint32_t kStates = 4096;  // on the way of one execution
constexpr uint32_t kSlots = 2 * kStates;
constexpr uint32_t kCells = 1024;
constexpr uint32_t kObjects = 64;
constexpr uint32_t kLog = 512;
// A state that comes up more often is given up: nobody was found who was kept out.
constexpr uint32_t kMostVisits = 3 * kThreads;
// Until a cycle was seen, an execution of so many events is looked at for a while, and again after
// eight times as many. The very first ones earlier: if the default schedule goes round for ever,
// that shows at once. And one in so many is from its beginning.
constexpr uint32_t kLong = 1u << 17;
constexpr uint32_t kLongOfFirst = 2048;
constexpr uint32_t kFirst = 4;
constexpr uint32_t kOneIn = 512;
constexpr uint32_t kMany = 8192;  // executions of a search that may have no end

// A state on the way of the execution. Sets of threads are bits.
struct Way {
  uint64_t hash;
  uint64_t enabled;
  uint64_t changed;  // by steps that led here from the state before
  uint32_t step;     // that followed
  uint32_t event;
  uint32_t visits;
};

// Memory that is not part of the snapshot (its pages are compared as a whole): what was written.
struct Cell {
  RecentWrite write;  // 0: free
};

struct JointTable {
  bool running;     // states are being taken
  bool from_start;  // of the execution
  uint32_t count;
  uint32_t cell_count;
  uint32_t object_count;
  uint32_t unknown_objects;  // met for the first time, as what they were before is not known
  uint32_t next_event;       // the first that has not been looked at
  uint64_t lasting;
  uint64_t waiting;  // threads that were made to wait
  uint64_t local[kThreads];
  uint64_t written[kThreads];
  uint64_t changes[kThreads];
  uint32_t objects[kObjects];
  uintptr_t stood[kThreads];  // before which operation, at the last state
  uintptr_t log[kLog];        // of the operations of the last steps
  Cell cells[kCells];
  uint16_t slots[kSlots];  // number of the state, plus one
  Way ways[kStates];
};
[[HEDDLE_LASTS("where the table is")]] JointTable* table;
[[HEDDLE_OF_EXECUTION]] bool used;
[[HEDDLE_OF_EXECUTION]] bool acts;

uint64_t Bit(op::ThreadId id) { return uint64_t{1} << id; }

// Changes that no state shows, of all threads.
uint64_t LastingChanges() {
  uint64_t sum = g_used_fibers;
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    const Fiber& fiber = g_fibers[id];
    sum += fiber.changes - fiber.memory_changes - fiber.lock_operations - fiber.semaphore_changes;
  }
  return sum;
}

void ForgetWay(JointTable& j) {
  j.count = j.cell_count = 0;
  std::fill_n(j.slots, kSlots, uint16_t{0});
  std::fill_n(j.cells, kCells, Cell{});
}

void Begin(JointTable& j) {
  const TraceBuffers& t = *g_trace;
  used = true;
  j.running = true;
  j.from_start = g_state.joint_from == 0;
  j.object_count = j.unknown_objects = 0;
  j.next_event = j.from_start ? 0 : t.event_count;
  j.lasting = LastingChanges();
  ForgetWay(j);
  for (op::ThreadId id = 0; id < kThreads; ++id) {
    const bool known = id < g_used_fibers;
    j.written[id] = known ? g_fibers[id].written : 0;
    j.changes[id] = known ? g_fibers[id].changes : 0;
  }
}

void Stop(JointTable& j) {
  j.running = false;
  g_state.joint_from = ~0u;
}

// Has this execution been looked at for long enough? Then it goes on without, for a while.
void Pause(JointTable& j) {
  j.running = false;
  const uint32_t now = g_trace->event_count;
  g_state.joint_from = now < (1u << 28) ? 8 * std::max(now, kLongOfFirst) : ~0u;
}

bool NoteObject(JointTable& j, uint32_t number) {
  const ObjectKind kind = ObjectOfNumber(number).kind;
  if (kind == ObjectKind::kWord) return true;
  if (std::find(j.objects, j.objects + j.object_count, number) != j.objects + j.object_count)
    return true;
  if (j.object_count == kObjects) return false;
  j.objects[j.object_count++] = number;
  const bool free_before = kind == ObjectKind::kMutex || kind == ObjectKind::kSpinLock;
  if (!j.from_start || !free_before) ++j.unknown_objects;
  return true;
}

bool NoteEvents(JointTable& j) {
  const TraceBuffers& t = *g_trace;
  for (; j.next_event < t.event_count; ++j.next_event) {
    const trace::Event& event = t.events[j.next_event];
    if (event.object != trace::kNoObject && !NoteObject(j, event.object)) return false;
  }
  return true;
}

bool NoteCell(JointTable& j, RecentWrite write) {
  constexpr uint64_t kAddress = (uint64_t{1} << kWriteAddressBits) - 1;
  if (write == 0) return false;
  if (IsOfSnapshot(write & kAddress)) return true;
  if (j.cell_count >= kCells / 2) return false;
  uint32_t at = base::Spread(write) >> 40 & (kCells - 1);
  while (j.cells[at].write != 0 && j.cells[at].write != write) at = (at + 1) & (kCells - 1);
  if (j.cells[at].write == 0) ++j.cell_count;
  j.cells[at].write = write;
  return true;
}

// Threads that changed something since it was called last; all bits: too much was written.
uint64_t NoteWrites(JointTable& j) {
  uint64_t changed = 0;
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    const Fiber& fiber = g_fibers[id];
    if (fiber.changes != j.changes[id]) changed |= Bit(id);
    j.changes[id] = fiber.changes;
    if (fiber.written - j.written[id] > kRecentWrites) return ~uint64_t{0};
    for (; j.written[id] != fiber.written; ++j.written[id])
      if (!NoteCell(j, fiber.recent[j.written[id] % kRecentWrites])) return ~uint64_t{0};
  }
  return changed;
}

uint64_t HashOfObject(const Object& object) {
  switch (object.kind) {
    case ObjectKind::kMutex:
    case ObjectKind::kSpinLock:
      if (object.mutex.owner == op::kNoThread) return object.mutex.owner_died ? 1 : 0;
      return MixTwo(object.mutex.owner + 1, object.mutex.count);
    case ObjectKind::kRwLock: {
      uint64_t sum = MixTwo(object.rwlock.writer, object.rwlock.readers);
      for (const ReadHold* hold = object.rwlock.holds; hold != nullptr; hold = hold->next)
        sum += hold->count == 0 ? 0 : MixTwo(hold->thread, hold->count);
      return sum;
    }
    case ObjectKind::kSemaphore:
      return object.semaphore.value;
    case ObjectKind::kFree:
    case ObjectKind::kWord:
    case ObjectKind::kFutex:
    case ObjectKind::kCondition:
    case ObjectKind::kOnce:
    case ObjectKind::kBarrier:
    case ObjectKind::kException:
    case ObjectKind::kThread:
    case ObjectKind::kProgram:
      break;
  }
  return object.uses;  // no state with another use of it is the same
}

// 0: not known.
uint64_t HashOfCells(const JointTable& j) {
  uint64_t sum = j.cell_count + 1;
  if (j.cell_count == 0) return sum;
  constexpr uint64_t kAddress = (uint64_t{1} << kWriteAddressBits) - 1;
  for (const Cell& cell : j.cells) {
    if (cell.write == 0) continue;
    const uintptr_t address = cell.write & kAddress;
    const size_t size = cell.write >> kWriteAddressBits;
    if (!IsReadable(address & -8ull) || !IsReadable((address + size - 1) & -8ull)) return 0;
    sum += MixTwo(cell.write, base::HashBytes(reinterpret_cast<const char*>(address), size));
  }
  return sum;
}

uint64_t HashOfThread(const JointTable& j, const Fiber& fiber) {
  const op::Operation& pending = fiber.pending;
  const bool timed = fiber.timed && !fiber.spinning;
  const uint64_t flags = uint64_t{fiber.spinning} | uint64_t{fiber.polling} << 1 |
                         uint64_t{fiber.timed} << 2 | uint64_t{fiber.late} << 3 |
                         uint64_t{fiber.done} << 4 | uint64_t{fiber.atomic_depth != 0} << 5 |
                         static_cast<uint64_t>(fiber.wake) << 8 |
                         static_cast<uint64_t>(fiber.state) << 16 | uint64_t{fiber.id} << 32;
  if (fiber.state != FiberState::kPublished) return MixTwo(flags, 1);
  uint64_t hash = MixTwo(flags, j.local[fiber.id]);
  hash = MixTwo(hash, pending.pc);
  hash = MixTwo(hash, pending.object);
  hash = MixTwo(hash, pending.object2);
  hash = MixTwo(hash, pending.operand);
  hash = MixTwo(hash, uint64_t{pending.other} << 16 | static_cast<uint64_t>(pending.kind) << 8 |
                          pending.detail);
  return timed ? MixTwo(hash, fiber.deadline) : hash;
}

uint64_t HashOfState(const JointTable& j) {
  const Fiber& last = g_fibers[g_schedule.running];
  const uint64_t cells = HashOfCells(j);
  if (cells == 0) return 0;
  // Who ran last says what a schedule from here on costs.
  uint64_t hash = MixTwo(g_schedule.running, uint64_t{last.yielding} << 1 | 1);
  hash = MixTwo(hash, cells);
  hash = MixTwo(hash, uint64_t{j.object_count} << 32 | j.unknown_objects);
  hash = MixTwo(hash, HashOfSnapshot());
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    const Fiber& fiber = g_fibers[id];
    const bool large = op::IsAtomic(fiber.pending.kind) && fiber.pending.size > 8;
    if (fiber.state == FiberState::kPublished && (large || j.local[id] == 0)) return 0;
    hash += HashOfThread(j, fiber);
  }
  for (uint32_t i = 0; i < j.object_count; ++i) {
    const uint64_t of_object = HashOfObject(ObjectOfNumber(j.objects[i]));
    if (of_object != 0) hash += MixTwo(j.objects[i], of_object);
  }
  return hash | 1;
}

uint64_t EnabledNow() {
  const auto& sets = *reinterpret_cast<const ThreadSets*>(TableAddress(kThreadSetsTable));
  uint64_t enabled = 0;
  for (op::ThreadId id = 0; id < g_used_fibers; ++id)
    if (sets.open.Has(id) || sets.timed.Has(id)) enabled |= Bit(id);
  return enabled;
}

// The execution since a state that has come up again.
struct Cycle {
  uint64_t enabled;  // at some moment of it
  uint64_t ran;
  uint64_t changed;
  uint32_t first_event;
  uint32_t first_step;
};

Cycle CycleSince(const JointTable& j, uint32_t from, uint64_t enabled_now, uint64_t changed_now) {
  const TraceBuffers& t = *g_trace;
  Cycle cycle = {enabled_now, 0, changed_now, j.ways[from].event, j.ways[from].step};
  for (uint32_t i = from; i < j.count; ++i) {
    cycle.enabled |= j.ways[i].enabled;
    if (i != from) cycle.changed |= j.ways[i].changed;
  }
  for (uint32_t step = j.ways[from].step; step < t.step_count; ++step)
    cycle.ran |= Bit(t.steps[step].thread);
  return cycle;
}

// Has the thread met `object` at this level in the cycle?
bool Met(const Cycle& cycle, op::ThreadId id, uint32_t object, op::Level level) {
  const TraceBuffers& t = *g_trace;
  for (uint32_t e = cycle.first_event; e < t.event_count; ++e) {
    const trace::Event& event = t.events[e];
    if (event.thread == id && event.object == object && event.level == level) return true;
  }
  return false;
}

// The thread changed nothing in the cycle. Could it have found something else at some moment of it?
bool CouldFindMore(const Cycle& cycle, op::ThreadId id) {
  const TraceBuffers& t = *g_trace;
  for (uint32_t e = cycle.first_event; e < t.event_count; ++e) {
    const trace::Event& event = t.events[e];
    if (event.thread != id || event.object == trace::kNoObject) continue;
    if ((event.detail & op::kListed) != 0) return true;
    for (uint32_t other = cycle.first_event; other < t.event_count; ++other) {
      const trace::Event& at = t.events[other];
      if ((at.detail & op::kListed) != 0) return true;
      if (at.object == event.object && !Met(cycle, id, at.object, at.level)) return true;
    }
  }
  return false;
}

// It stands before a look that would find what it has not found in the cycle.
bool WouldFindMore(const Cycle& cycle, const Fiber& fiber) {
  const op::Operation& pending = fiber.pending;
  const bool word = op::IsAtomic(pending.kind) || op::IsPlain(pending.kind);
  for (const ObjectKind kind : {ObjectKind::kWord, ObjectKind::kMutex, ObjectKind::kSpinLock,
                                ObjectKind::kRwLock, ObjectKind::kSemaphore}) {
    if (word != (kind == ObjectKind::kWord)) continue;
    const Object* object = LookUpObject(pending.object, kind);
    if (object == nullptr) continue;
    const op::Level level =
        word ? LevelOfBytes(reinterpret_cast<const void*>(object->address), object->atom_bytes)
             : LevelOf(*object);
    return !Met(cycle, fiber.id, object->number, level);
  }
  return false;
}

// Threads that are kept out, and could go on now.
uint64_t KeptOutNow(const Cycle& cycle, uint64_t enabled_now) {
  uint64_t out = enabled_now & ~cycle.ran;
  if (out != 0) return out;
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    if ((enabled_now & Bit(id)) == 0 || (cycle.changed & Bit(id)) != 0) continue;
    if (WouldFindMore(cycle, g_fibers[id])) out |= Bit(id);
  }
  return out;
}

// Does it keep out nobody? A thread that only waits in the cycle is taken as one at an operation
// that blocks: it is kept out if it could have found something else.
bool IsFair(const Cycle& cycle) {
  if ((cycle.enabled & ~cycle.ran) != 0) return false;
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    const bool only_waits = (cycle.ran & Bit(id)) != 0 && (cycle.changed & Bit(id)) == 0;
    if (only_waits && CouldFindMore(cycle, id)) return false;
  }
  return true;
}

// The next time that the thread of event `e` comes to a lock, going round from there. Itself:
// never.
uint32_t NextAtLock(const Cycle& cycle, uint32_t e) {
  const TraceBuffers& t = *g_trace;
  uint32_t next = e;
  do {
    if (++next == t.event_count) next = cycle.first_event;
    const trace::Event& event = t.events[next];
    const bool takes = op::Has(event.kind, op::kLocks) &&
                       (op::Has(event.kind, op::kBlocks) || op::Has(event.kind, op::kTries));
    if (event.thread == t.events[e].thread && takes) break;
  } while (next != e);
  return next;
}

// Do they only take several locks together as std::lock does: who fails to get one gives back what
// it has, and then waits for that one until it is free? A back-off at which each waits for the
// other one is meant to end, and does so unless their steps stay in time for ever.
bool IsPoliteBackOff(const Cycle& cycle) {
  const TraceBuffers& t = *g_trace;
  uint64_t fails = 0;
  for (uint32_t e = cycle.first_event; e < t.event_count; ++e) {
    const trace::Event& event = t.events[e];
    if (event.access == op::Access::kNone) continue;
    if (!op::Has(event.kind, op::kLocks)) return false;
    if (!op::Has(event.kind, op::kTries) || event.access != op::Access::kRead) continue;
    fails |= Bit(event.thread);
    const trace::Event& next = t.events[NextAtLock(cycle, e)];
    if (!op::Has(next.kind, op::kBlocks) || next.object != event.object) return false;
  }
  return (cycle.changed & ~fails) == 0;
}

// Where a thread goes round in the cycle, in the order of the code. Of long ones not all.
struct Places {
  uintptr_t at[6];
  uint32_t count;
};

Places PlacesOf(const JointTable& j, const Cycle& cycle, op::ThreadId id) {
  const TraceBuffers& t = *g_trace;
  Places places = {};
  uint32_t step = cycle.first_step;
  if (t.step_count > kLog && t.step_count - kLog > step) step = t.step_count - kLog;
  for (; step < t.step_count && places.count < std::size(places.at); ++step) {
    const uintptr_t pc = j.log[step % kLog];
    if (t.steps[step].thread != id) continue;
    uint32_t at = 0;
    while (at < places.count && places.at[at] < pc) ++at;
    if (at < places.count && places.at[at] == pc) continue;
    for (uint32_t i = places.count++; i > at; --i) places.at[i] = places.at[i - 1];
    places.at[at] = pc;
  }
  return places;
}

void DescribeLoops(BoundedText& text, const JointTable& j, const Cycle& cycle) {
  const char* separator = "";
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    if ((cycle.ran & Bit(id)) == 0) continue;
    const Places places = PlacesOf(j, cycle, id);
    text.Add("%s%%T%u%% goes round", separator, id);
    for (uint32_t i = 0; i < places.count; ++i)
      text.Add("%s %%L%lx%%", i == 0 ? "" : ",", places.at[i]);
    separator = "; ";
  }
}

void RecordLoops(const JointTable& j, const Cycle& cycle, bool fair) {
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    const Fiber& fiber = g_fibers[id];
    if (fiber.state != FiberState::kPublished) continue;
    RecordStanding(id, channel::kStepBlocked, fiber.pending.object, op::kNoThread);
    if ((cycle.ran & Bit(id)) == 0) continue;
    const Places places = PlacesOf(j, cycle, id);
    uintptr_t others[3] = {};
    uint32_t count = 0;
    for (uint32_t i = 0; i < places.count && count < 3; ++i)
      if (places.at[i] != fiber.pending.pc) others[count++] = places.at[i];
    RecordLoop(channel::kFactTogether | (fair ? 0u : uint32_t{channel::kFactUnfair}), others);
  }
}

// `kept_out`: threads that could have gone on; none: it is fair.
[[noreturn]] void EndAsLivelock(const JointTable& j, const Cycle& cycle, uint64_t kept_out) {
  trace::Ending& ending = g_trace->ending;
  ending.kind = trace::EndKind::kLivelock;
  ending.status = trace::kOthersCouldGoOn;
  BoundedText text = {ending.message, ending.message + sizeof ending.message};
  if (kept_out == 0)
    text.Add("the same %u operations again and again, in a fair schedule: ",
             g_trace->event_count - cycle.first_event);
  else
    text.Add("starvation, in an unfair schedule: ");
  DescribeLoops(text, j, cycle);
  for (op::ThreadId id = 0; id < g_used_fibers; ++id)
    if ((kept_out & Bit(id)) != 0)
      text.Add("; %%T%u%% is kept out at %%L%lx%%", id, g_fibers[id].pending.pc);
  // Identity: where the threads go round, whoever came first.
  ending.address = kept_out == 0 ? 0 : 1;
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    if ((cycle.ran & Bit(id)) == 0) continue;
    const Places places = PlacesOf(j, cycle, id);
    for (uint32_t i = 0; i < places.count; ++i) ending.address += base::Spread(places.at[i]);
    ending.pc = places.count != 0 ? places.at[0] : g_fibers[id].pending.pc;
    ending.thread = id;
  }
  if (g_state.recording) RecordLoops(j, cycle, kept_out == 0);
  LeaveToLoop();
}

// Did a thread that goes round yield or sleep in the cycle? Then it gives way where priorities
// count.
bool GivesWay(const Cycle& cycle) {
  const TraceBuffers& t = *g_trace;
  for (uint32_t e = cycle.first_event; e < t.event_count; ++e)
    if (op::Has(t.events[e].kind, op::kYields)) return true;
  return false;
}

// Threads that did not run at all in the cycle could go on, if those in the loops gave way.
void TellStarvation(const JointTable& j, const Cycle& cycle, uint64_t kept_out) {
  if (kept_out == 0 || GivesWay(cycle)) return;
  if (ChannelHeader().settings.strict != 0) EndAsLivelock(j, cycle, kept_out);
  uint64_t key = 1;
  for (op::ThreadId id = 0; id < g_used_fibers; ++id)
    if ((kept_out & Bit(id)) != 0) key += base::Spread(g_fibers[id].pending.pc);
  if (!IsFirstWarning(key)) return;
  char message[sizeof(trace::Ending::message)];
  BoundedText text = {message, message + sizeof message};
  text.Add("a loop that gives way to nobody: ");
  DescribeLoops(text, j, cycle);
  for (op::ThreadId id = 0; id < g_used_fibers; ++id)
    if ((kept_out & Bit(id)) != 0)
      text.Add("; %%T%u%% could go on at %%L%lx%%", id, g_fibers[id].pending.pc);
  text.Add(", if the scheduler lets it");
  AppendNote(channel::NoteKind::kWarning, message);
}

// Only `threads` go on, until one of them has made an operation.
void LetOnly(JointTable& j, uint64_t threads) {
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    Fiber& fiber = g_fibers[id];
    const auto& sets = *reinterpret_cast<const ThreadSets*>(TableAddress(kThreadSetsTable));
    if ((threads & Bit(id)) != 0 || !sets.open.Has(id)) continue;
    fiber.spinning = fiber.joint = true;
    j.waiting |= Bit(id);
    SetSpinning(fiber, true);
    Changed(fiber);
  }
  g_state.joint_waits = j.waiting != 0;
}

void OnRepeated(JointTable& j, uint32_t from, uint64_t enabled, uint64_t changed) {
  Way& way = j.ways[from];
  const Cycle cycle = CycleSince(j, from, enabled, changed);
  if (cycle.changed == 0) return;  // who only looks is made to wait by spin.h
  if (!acts) {
    // A short execution may still get out of a loop of one thread as spin.h has it.
    const uint64_t together = g_execution < kMany ? cycle.changed : cycle.ran;
    if ((together & (together - 1)) != 0 || !j.from_start) NeedJointCycles();  // does not return
    return;
  }
  const uint64_t out = KeptOutNow(cycle, enabled);
  const bool livelock = out == 0 && IsFair(cycle);
  const bool polite = livelock && IsPoliteBackOff(cycle);
  if (livelock && !polite) EndAsLivelock(j, cycle, 0);
  TellStarvation(j, cycle, out & ~cycle.ran);
  NoteIncompleteReduction(
      "threads go round together in loops: those that were kept out there go on before the others, "
      "so orders of operations that are independent but for that are not all told apart");
  if (polite) EndAsRedundant();
  const op::ThreadId next = g_trace->steps[way.step].thread;
  if (++way.visits > kMostVisits || (out == 0 && (enabled & Bit(next)) == 0)) {
    NoteWeakness(
        "threads can go round together in loops for ever, but only in schedules that let one of "
        "them look at the wrong moment each time: such an execution is ended, and is no finding");
    EndAsRedundant();
  }
  LetOnly(j, out != 0 ? out : Bit(next));
}

}  // namespace

void InitJointCycles() {
  if (table != nullptr) return;  // a test with several programs
  table = static_cast<JointTable*>(MapTable(kJointTable, sizeof(JointTable)));
  AddExecutionTable({
      .reset =
          [] {
            if (used) table->running = false;
          },
      .save =
          [](base::SavedBytes& to) {
            if (used) to.Put(table, 1);
          },
      .restore =
          [](base::SavedBytesReader& from) {
            if (used) from.Get(table, 1);
          },
  });
}

void BeginJointCycles(bool in_force) {
  const auto phase = static_cast<channel::Phase>(ChannelHeader().phase.load());
  const bool looks = phase == channel::Phase::kSearching &&
                     ChannelHeader().settings.mode != channel::Mode::kReplay;
  acts = in_force;
  if (in_force || (looks && g_execution % kOneIn == 0))
    g_state.joint_from = 0;
  else if (looks)
    g_state.joint_from = g_execution <= kFirst ? kLongOfFirst : kLong;
  else
    g_state.joint_from = ~0u;
}

void NoteStands(const Fiber& self) {
  JointTable& j = *table;
  if (self.id >= kThreads || g_used_fibers > kThreads) return Stop(j);
  if (!j.running) {
    Begin(j);
    std::fill_n(j.local, kThreads, uint64_t{1});
  }
  j.local[self.id] = StateOf(self);
}

void LookForJointCycle() {
  JointTable& j = *table;
  if (!j.running || g_state.joint_waits) return;
  const TraceBuffers& t = *g_trace;
  if (g_used_fibers > kThreads || j.count == kStates) {
    if (acts) return Stop(j);
    return Pause(j);
  }
  const uint32_t last = t.step_count - 1;  // number 0 is the beginning
  if (last != 0) j.log[last % kLog] = j.stood[t.steps[last].thread];
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) j.stood[id] = g_fibers[id].pending.pc;
  const uint64_t changed = NoteWrites(j);
  if (changed == ~uint64_t{0} || !NoteEvents(j)) return Stop(j);
  const uint64_t lasting = LastingChanges();
  if (lasting != j.lasting) {
    j.lasting = lasting;
    ForgetWay(j);
  }
  const uint64_t hash = HashOfState(j);
  if (hash == 0) return;
  const uint64_t enabled = EnabledNow();
  uint32_t at = hash >> 40 & (kSlots - 1);
  for (; j.slots[at] != 0; at = (at + 1) & (kSlots - 1))
    if (j.ways[j.slots[at] - 1].hash == hash)
      return OnRepeated(j, j.slots[at] - 1, enabled, changed);
  j.ways[j.count] = {hash, enabled, changed, t.step_count, t.event_count, 1};
  j.slots[at] = static_cast<uint16_t>(++j.count);
}

bool WakeJointWaiters() {
  JointTable& j = *table;
  if (!g_state.joint_waits) return false;
  g_state.joint_waits = false;
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    Fiber& fiber = g_fibers[id];
    if ((j.waiting & Bit(id)) == 0) continue;
    fiber.spinning = fiber.joint = false;
    SetSpinning(fiber, false);
  }
  j.waiting = 0;
  return true;
}

}  // namespace heddle::runtime
