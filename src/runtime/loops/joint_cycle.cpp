#include "runtime/loops/joint_cycle.h"

#include <algorithm>

#include "op/dependence.h"
#include "runtime/control.h"
#include "runtime/fibers/plan_follower.h"
#include "runtime/fibers/schedule.h"
#include "runtime/fibers/table.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/loops/cycle.h"
#include "runtime/loops/cycle_report.h"
#include "runtime/loops/loop_progress.h"
#include "runtime/loops/program_state.h"
#include "runtime/loops/timed_rounds.h"
#include "runtime/memory/execution_state.h"
#include "runtime/memory/tables.h"
#include "runtime/objects/enabled.h"
#include "runtime/prim/lifetime.h"
#include "runtime/runtime.h"
#include "runtime/visible.h"

namespace heddle::runtime {
namespace {

constexpr uint32_t kThreads = ProgramState::kThreads;
constexpr uint32_t kStates = 4096;  // on the way of one execution
constexpr uint32_t kSlots = 2 * kStates;
constexpr uint32_t kLoggedSteps = 512;
// A state that comes up more often is given up: nobody was found who was kept out.
constexpr uint32_t kMostVisits = 3 * kThreads;
// Until a cycle was seen, an execution of so many events is looked at for a while, and again after
// eight times as many. The very first ones earlier: if the default schedule goes round for ever,
// that shows at once, and if one does that differs little from it, in the first four of each of
// the six searches of --order escalating. And one in so many is from its beginning.
constexpr uint32_t kLong = 1u << 17;
constexpr uint32_t kLongOfFirst = 2048;
constexpr uint32_t kFirst = 24;
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

struct JointTable {
  bool running;  // states are being taken
  uint32_t count;
  uint64_t lasting;
  uint64_t waiting;             // threads that were made to wait
  uintptr_t stood[kThreads];    // before which operation, at the last state
  uint32_t stood_in[kThreads];  // in which loop, then; and now
  uint32_t stands_in[kThreads];
  uintptr_t step_log[kLoggedSteps];
  uint32_t loop_log[kLoggedSteps];
  ProgramState state;
  uint16_t slots[kSlots];  // number of the state, plus one
  Way ways[kStates];
};
[[HEDDLE_LASTS("where the table is")]] JointTable* table;
[[HEDDLE_OF_EXECUTION]] bool used;
[[HEDDLE_OF_EXECUTION]] bool acts;

void ForgetWay(JointTable& j) {
  j.count = 0;
  std::fill_n(j.slots, kSlots, uint16_t{0});
  j.state.ForgetWrites();
}

void Begin(JointTable& j) {
  used = true;
  j.running = true;
  j.lasting = LastingChanges();
  j.waiting = 0;  // some may have waited when the execution before ended
  ForgetWay(j);
  j.state.Begin(g_state.joint_from == 0);
  std::fill_n(j.stands_in, kThreads, kUnknownLoop);
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

uint64_t EnabledNow() {
  const auto& sets = *reinterpret_cast<const ThreadSets*>(TableAddress(kThreadSetsTable));
  uint64_t enabled = 0;
  for (op::ThreadId id = 0; id < g_used_fibers; ++id)
    if (sets.open.Has(id) || sets.timed.Has(id)) enabled |= BitOf(id);
  return enabled;
}

Cycle CycleSince(const JointTable& j, uint32_t from, uint64_t enabled_now, uint64_t changed_now) {
  const TraceBuffers& t = *g_trace;
  Cycle cycle = {enabled_now, 0, changed_now, j.ways[from].event, j.ways[from].step};
  for (uint32_t i = from; i < j.count; ++i) {
    cycle.enabled |= j.ways[i].enabled;
    if (i != from) cycle.changed |= j.ways[i].changed;
  }
  for (uint32_t step = j.ways[from].step; step < t.step_count; ++step)
    cycle.ran |= BitOf(t.steps[step].thread);
  return cycle;
}

// Only `threads` go on, until one of them has made an operation.
void LetOnly(JointTable& j, uint64_t threads) {
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    Fiber& fiber = g_fibers[id];
    const auto& sets = *reinterpret_cast<const ThreadSets*>(TableAddress(kThreadSetsTable));
    if ((threads & BitOf(id)) != 0 || !sets.open.Has(id)) continue;
    fiber.spinning = fiber.joint = true;
    j.waiting |= BitOf(id);
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
    if ((together & (together - 1)) != 0 || !j.state.FromStart())
      NeedJointCycles();  // does not return
    return;
  }
  const uint64_t out = KeptOutNow(cycle, enabled);
  const bool livelock = out == 0 && IsFair(cycle);  // if it is a bug
  const StepLog log = {j.step_log, j.loop_log, kLoggedSteps, j.stands_in};
  const bool polite = livelock && IsPoliteBackOff(cycle);
  if (livelock && !polite && LetTimedRoundsTry(j.ways[from].hash))
    return NoteIncomplete(Incomplete::kJointLoops);
  const bool goes_on = livelock && !polite && AllMakeProgress(cycle, log) != CycleProgress::kNo;
  if (livelock && !polite && !goes_on) EndAsLivelock(log, cycle, 0);
  TellStarvation(log, cycle, out & ~cycle.ran);
  NoteIncomplete(Incomplete::kJointLoops);
  if (polite) EndAsRedundant();
  if (goes_on) EndAsGoingOn();
  const op::ThreadId next = g_trace->steps[way.step].thread;
  // Whatever can follow has followed from the first time, too.
  if (++way.visits > kMostVisits || (out == 0 && (enabled & BitOf(next)) == 0)) EndAsRedundant();
  LetOnly(j, out != 0 ? out : BitOf(next));
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

namespace {

bool Looks() {
  // A round that has read older writes than the newest is none that goes on for ever.
  if (g_state.weak) return false;
  const auto phase = static_cast<channel::Phase>(ChannelHeader().phase.load());
  return phase == channel::Phase::kSearching &&
         ChannelHeader().settings.mode != channel::Mode::kReplay;
}

}  // namespace

bool JointCyclesAreDue() { return acts || (Looks() && (g_execution + 1) % kOneIn == 0); }

void BeginJointCycles(bool in_force) {
  const bool looks = Looks();
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
  if (!j.running) Begin(j);
  j.state.NoteStands(self);
  j.stands_in[self.id] = LoopOf(self);
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
  if (last != 0) {
    j.step_log[last % kLoggedSteps] = j.stood[t.steps[last].thread];
    j.loop_log[last % kLoggedSteps] = j.stood_in[t.steps[last].thread];
  }
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    j.stood[id] = g_fibers[id].pending.pc;
    j.stood_in[id] = j.stands_in[id];
  }
  const uint64_t changed = j.state.NoteWrites();
  if (changed == ~uint64_t{0} || !j.state.NoteEvents()) return Stop(j);
  const uint64_t lasting = LastingChanges();
  if (lasting != j.lasting) {
    j.lasting = lasting;
    ForgetWay(j);
  }
  const uint64_t hash = j.state.Hash();
  if (hash == 0) return;
  const uint64_t enabled = EnabledNow();
  uint32_t at = hash >> 40 & (kSlots - 1);
  for (; j.slots[at] != 0; at = (at + 1) & (kSlots - 1))
    if (j.ways[j.slots[at] - 1].hash == hash)
      return OnRepeated(j, j.slots[at] - 1, enabled, changed);
  j.ways[j.count] = {hash, enabled, changed, t.step_count, t.event_count, 1};
  j.slots[at] = static_cast<uint16_t>(++j.count);
}

void LetThemGoFirst(uint64_t threads) {
  JointTable& j = *table;
  if (!g_state.joint_waits) j.waiting = 0;  // of an execution before
  used = true;
  NoteIncomplete(Incomplete::kJointLoops);
  LetOnly(j, threads);
}

bool WakeJointWaiters() {
  JointTable& j = *table;
  if (!g_state.joint_waits) return false;
  g_state.joint_waits = false;
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) {
    Fiber& fiber = g_fibers[id];
    if ((j.waiting & BitOf(id)) == 0) continue;
    fiber.spinning = fiber.joint = false;
    SetSpinning(fiber, false);
  }
  j.waiting = 0;
  return true;
}

}  // namespace heddle::runtime
