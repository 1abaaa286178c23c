#include "runtime/states/visiting.h"

#include <utility>

#include "check/shadow.h"
#include "runtime/control.h"
#include "runtime/fibers/plan_follower.h"
#include "runtime/fibers/schedule.h"
#include "runtime/fibers/table.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/loops/cycle.h"
#include "runtime/loops/cycle_report.h"
#include "runtime/loops/loop_progress.h"
#include "runtime/memory/execution_state.h"
#include "runtime/memory/pages.h"
#include "runtime/memory/tables.h"
#include "runtime/prim/lifetime.h"
#include "runtime/runtime.h"
#include "runtime/states/frame_snapshot.h"
#include "runtime/states/state_digest.h"

namespace heddle::runtime {
namespace {

using plan::StateVisit;
using plan::VisitResult;

// States of an execution that nobody is asked about. Open addressing; those of another execution
// count as free.
struct OwnState {
  uint64_t execution;
  plan::Key key;
  uint32_t step;
};
constexpr uint32_t kOwnStates = 1u << 16;
[[HEDDLE_LASTS("stamped with the execution")]] OwnState* own_states;
[[HEDDLE_OF_EXECUTION]] uint32_t own_state_count;
// By step; written before it is read, so it is reset by nobody.
struct StepNotes {
  uintptr_t* at;      // before which operation its thread stood
  uint32_t* loops;    // and in which loop
  uint64_t* changes;  // of its thread, before (Fiber::changes)

  static constexpr uint64_t kSteps = 1u << 30;
  StepLog Places() const { return {at, loops, kSteps, nullptr}; }
};
[[HEDDLE_LASTS("where the notes are")]] StepNotes log;

VisitResult VisitOwn(const StateVisit& visit) {
  if (own_states == nullptr)
    own_states = static_cast<OwnState*>(ReserveMemory(kOwnStates * sizeof(OwnState)));
  // As the search has it that found the schedule: what counts as a visit says where it ends.
  const bool bounded = ChannelHeader().settings.order == channel::Order::kContextBounded;
  const plan::Key key = bounded ? plan::ItemOf(visit) : visit.key;
  uint32_t at = static_cast<uint32_t>(key.words[0] >> 40) & (kOwnStates - 1);
  for (; own_states[at].execution == g_execution; at = (at + 1) & (kOwnStates - 1))
    if (own_states[at].key == key) return {true, own_states[at].step};
  if (own_state_count < kOwnStates / 2) {
    own_states[at] = {g_execution, key, visit.step};
    ++own_state_count;
  }
  return {};
}

uint32_t LoopWhereItStands(const Fiber& fiber) {
  if (fiber.id >= kFrameSnapshots) return kNotLookedAt;
  const FrameSnapshot& snapshot = FrameSnapshotOf(fiber);
  const bool found = snapshot.known && snapshot.execution == g_execution;
  return found ? snapshot.loop : kNotLookedAt;
}

// What it costs to go on (trace/cost.h) depends on who ran last, if that thread could go on.
uint64_t CostKey() {
  const auto& sets = *reinterpret_cast<const ThreadSets*>(TableAddress(kThreadSetsTable));
  const op::ThreadId running = g_schedule.running;
  if (!sets.open.Has(running)) return 0;
  const Fiber& last = g_fibers[running];
  const bool yields = sets.yielding.Has(running);
  return uint64_t{running + 1} << 16 | (yields ? uint64_t{1} << 8 | last.stays : 0);
}

// Threads that could go on before step `step`, which was made.
uint64_t EnabledBefore(uint32_t step) {
  const TraceBuffers& t = *g_trace;
  const trace::Step& made = t.steps[step];
  if (made.choice < t.choice_count) {
    const trace::Choice& choice = t.choices[made.choice];
    const bool of_step = choice.kind == trace::ChoiceKind::kThread && choice.event == made.event;
    if (of_step && choice.set_words != 0) return t.words[choice.sets];
  }
  return BitOf(made.thread);
}

Cycle CycleSince(uint32_t first) {
  const TraceBuffers& t = *g_trace;
  Cycle cycle = {0, 0, 0, t.steps[first].event, first};
  for (uint32_t step = first; step < t.step_count; ++step) {
    const op::ThreadId id = t.steps[step].thread;
    cycle.enabled |= EnabledBefore(step);
    const bool first_of_thread = (cycle.ran & BitOf(id)) == 0;
    cycle.ran |= BitOf(id);
    // What leaves memory as it was is no change: a failed try at a lock is only a look.
    if (first_of_thread && g_fibers[id].changes != log.changes[step]) cycle.changed |= BitOf(id);
  }
  return cycle;
}

// What the last step was, for the search.
constexpr uint32_t kMostOfStep = 64;
plan::Met met[kMostOfStep];
plan::Taken taken[kMostOfStep];
plan::MadeStep made_step;

uint8_t FactsOf(const trace::Event& event) {
  using plan::Met;
  uint8_t facts = 0;
  if ((event.detail & op::kListed) != 0) facts |= Met::kListed;
  if (op::Has(event.kind, op::kLocks)) facts |= Met::kLocks;
  if (op::Has(event.kind, op::kTries)) facts |= Met::kTries;
  if (op::Has(event.kind, op::kBlocks)) facts |= Met::kWaits;
  if (event.access == op::Access::kRead) facts |= Met::kFails;
  if (event.access == op::Access::kNone) facts |= Met::kNothing;
  return facts;
}

// Of the events and choices since step `first`. Null: it is too much.
const plan::MadeStep* MadeSince(uint32_t first) {
  const TraceBuffers& t = *g_trace;
  uint32_t met_count = 0;
  uint32_t taken_count = 0;
  for (uint32_t c = t.steps[first].choice; c < t.choice_count; ++c) {
    const trace::Choice& choice = t.choices[c];
    if (choice.kind == trace::ChoiceKind::kThread) continue;
    if (taken_count == kMostOfStep) return nullptr;
    taken[taken_count++] = {choice.running, choice.chosen};
  }
  made_step = {};
  made_step.taken = {taken, taken_count};
  made_step.is_start = first == 0;
  if (made_step.is_start) return &made_step;
  const op::ThreadId thread = t.steps[first].thread;
  for (uint32_t e = t.steps[first].event; e < t.event_count; ++e) {
    const trace::Event& event = t.events[e];
    made_step.yields |= op::Has(event.kind, op::kYields);
    if (event.object == trace::kNoObject) continue;
    if (met_count == kMostOfStep) return nullptr;
    met[met_count++] = {event.object, event.level, event.thread, FactsOf(event)};
  }
  made_step.met = {met, met_count};
  made_step.thread = thread;
  made_step.loop = log.loops[first];
  made_step.enabled = EnabledBefore(first);
  made_step.stand = ThreadsThatStand();
  made_step.changed = g_fibers[thread].changes != log.changes[first];
  return &made_step;
}

// --exact: what the present state is hashed of.
constexpr size_t kWordsOfState = size_t{1} << 24;
constexpr size_t kRecordsOfState = (size_t{1} << 16) - 1;
[[HEDDLE_LASTS("scratch of one state")]] base::Transcript transcript;

base::Transcript* EmptyTranscript() {
  if (transcript.word_room.empty()) {
    transcript.word_room = {static_cast<uint64_t*>(ReserveMemory(kWordsOfState * 8)),
                            kWordsOfState};
    transcript.end_room = {static_cast<uint32_t*>(ReserveMemory(kRecordsOfState * 4)),
                           kRecordsOfState};
  }
  transcript.words = transcript.records = 0;
  transcript.lacks_room = false;
  return &transcript;
}

[[HEDDLE_OF_EXECUTION]] bool visits;  // up to here there was but one thread

// The execution has come to a state again in which it was before step `since`. Where it followed
// its plan, nobody has looked at the threads: then the search finds the cycle in its graph.
Cycle GoRound(uint32_t since) {
  const Cycle cycle = CycleSince(since);
  if (IsFair(cycle) && !IsPoliteBackOff(cycle) &&
      AllMakeProgress(cycle, log.Places()) == CycleProgress::kNo)
    EndAsLivelock(log.Places(), cycle, 0);
  return cycle;
}

// A thread that came back by itself waits, so leaving it costs nothing anywhere on its way round:
// as in other searches, in which such a thread is not enabled (spin.h).
void MarkWaiting(const Cycle& cycle) {
  TraceBuffers& t = *g_trace;
  const op::ThreadId running = g_schedule.running;
  if (cycle.ran != BitOf(running)) return;
  for (uint32_t c = t.steps[cycle.first_step].choice; c < t.choice_count; ++c) {
    trace::Choice& choice = t.choices[c];
    if (choice.kind == trace::ChoiceKind::kThread) choice.running_waits = choice.running == running;
  }
}

// The plan of an execution that nobody is asked about says no more, or it goes on.
void VisitAlone(const StateVisit& visit, bool goes_on) {
  const VisitResult met = VisitOwn(visit);
  if (!met.known) return;
  const Cycle cycle = GoRound(met.since);
  if (goes_on) return;
  // Not of what comes up only because a finding is being minimised.
  const bool is_asked =
      IsLastOfScript(g_trace->step_count - 1) || ChannelHeader().settings.strict != 0;
  if (is_asked && cycle.changed != 0)
    TellStarvation(log.Places(), cycle, cycle.enabled & ~cycle.ran);
  EndAsRedundant();
}

}  // namespace

void BeginVisiting() {
  const auto& settings = ChannelHeader().settings;
  g_state.takes_states = settings.visited == channel::Visited::kStates;
  if (!g_state.takes_states) return;
  if (log.at == nullptr) {
    log.at = static_cast<uintptr_t*>(ReserveMemory(StepNotes::kSteps * sizeof *log.at));
    log.loops = static_cast<uint32_t*>(ReserveMemory(StepNotes::kSteps * sizeof *log.loops));
    log.changes = static_cast<uint64_t*>(ReserveMemory(StepNotes::kSteps * sizeof *log.changes));
  }
  check::g_accessed_once = true;
  g_state.joint_from = ~0u;
  const plan::Visiting& visiting = VisitingOfPlan();
  g_state.states_now = visiting.by == nullptr;
  if (visiting.by != nullptr) visiting.by->Begin(visiting.search);
}

// Where threads stand is found again: that is stamped with another execution (frame_snapshot.h).
// What was noted by step holds up to here.
void GoOnVisiting() {
  const plan::Visiting& visiting = VisitingOfPlan();
  if (visiting.by != nullptr) visiting.by->Begin(visiting.search);
}

bool KeepsOwnStates(const plan::Plan& plan) {
  return ChannelHeader().settings.visited == channel::Visited::kStates &&
         plan.visiting.by == nullptr;
}

void NoteStep(uint32_t step, const Fiber& fiber) {
  if (log.at == nullptr) return;  // states are taken for --visited counters
  log.at[step] = fiber.pending.pc;
  log.loops[step] = LoopWhereItStands(fiber);
  log.changes[step] = fiber.changes;
}

void VisitState(Fiber& self) {
  if (!g_state.several_threads) return;
  const bool first = !std::exchange(visits, true);
  const plan::Visiting& visiting = VisitingOfPlan();
  const PlanLeft left = LeftOfPlan();
  if (visiting.by != nullptr && left == PlanLeft::kMuch) return;
  StateVisit visit;
  base::Transcript* const text = visiting.exact ? EmptyTranscript() : nullptr;
  visit.text = text;
  if (!DigestState(self, visit.key, text)) return;  // explored as often as it is met
  visit.cost_key = CostKey();
  visit.step = g_trace->step_count;
  if (visiting.by != nullptr && left == PlanLeft::kLast)
    return visiting.by->Pass(visiting.search, visit);
  g_state.states_now = true;
  if (visiting.by == nullptr) return VisitAlone(visit, left != PlanLeft::kNothing);
  visit.made = MadeSince(first ? 0 : g_trace->step_count - 1);
  const VisitResult met = visiting.by->Visit(visiting.search, visit);
  if (!met.known) return;
  if (met.IsCycle()) MarkWaiting(GoRound(met.since));
  EndAsRedundant();
}

}  // namespace heddle::runtime
