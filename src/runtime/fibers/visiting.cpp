#include "runtime/fibers/visiting.h"

#include <bit>

#include "check/shadow.h"
#include "runtime/control.h"
#include "runtime/fibers/cycle.h"
#include "runtime/fibers/cycle_report.h"
#include "runtime/fibers/plan_follower.h"
#include "runtime/fibers/schedule.h"
#include "runtime/fibers/standing.h"
#include "runtime/fibers/state_digest.h"
#include "runtime/fibers/table.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/memory/execution_state.h"
#include "runtime/memory/pages.h"
#include "runtime/memory/tables.h"
#include "runtime/prim/lifetime.h"
#include "runtime/runtime.h"

namespace heddle::runtime {
namespace {

using plan::Meeting;
using plan::Moment;

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
// By step; written before it is read. And what its thread had changed before (Fiber::changes).
StepLog log;
uint64_t changes_before[StepLog::kSteps];

Meeting VisitOwn(const Moment& moment) {
  if (own_states == nullptr)
    own_states = static_cast<OwnState*>(ReserveMemory(kOwnStates * sizeof(OwnState)));
  // As the search has it that found the schedule: what counts as a visit says where it ends.
  const bool bounded = ChannelHeader().settings.order == channel::Order::kContextBounded;
  const plan::Key key = bounded ? plan::ItemOf(moment) : moment.key;
  uint32_t at = static_cast<uint32_t>(key.words[0] >> 40) & (kOwnStates - 1);
  for (; own_states[at].execution == g_execution; at = (at + 1) & (kOwnStates - 1))
    if (own_states[at].key == key) return {true, own_states[at].step};
  if (own_state_count < kOwnStates / 2) {
    own_states[at] = {g_execution, key, moment.step};
    ++own_state_count;
  }
  return {};
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
    if (first_of_thread && g_fibers[id].changes != changes_before[step % StepLog::kSteps])
      cycle.changed |= BitOf(id);
  }
  return cycle;
}

// A way from a state back to it, and on.
struct Tour {
  plan::Key begin;
  uint32_t step;      // that began there first
  uint32_t rounds;    // so far
  uint32_t moved;     // by so many steps, round the cycle, to where one who was kept out can go on
  bool moves;         // to the next of these now
  uint32_t until;     // if it has not come back by then, it will not
  op::ThreadId goes;  // was kept out, and goes on alone
};
[[HEDDLE_OF_EXECUTION]] Tour tour;
constexpr uint32_t kMostSteps = 256;  // from the state back to it
constexpr uint32_t kMostRounds = 2 * kStandings;

uint64_t EnabledNow() {
  const auto& sets = *reinterpret_cast<const ThreadSets*>(TableAddress(kThreadSetsTable));
  return sets.open.WordOrNone(0) | sets.timed.WordOrNone(0);
}

[[noreturn]] void EndTour(const Cycle& cycle) {
  if (cycle.changed != 0) {
    TellStarvation(log, cycle, cycle.enabled & ~cycle.ran);
    NoteWeakness(
        "threads can go round in loops for ever that keep others out: a livelock in which several "
        "such loops take turns is recognised only where each of them leads back to one state");
  }
  EndAsRedundant();
}

// Did the step make choices but that of its thread? Then it may lead elsewhere the next time.
bool MakesChoices(uint32_t step) {
  const TraceBuffers& t = *g_trace;
  const uint32_t end = step + 1 < t.step_count ? t.steps[step + 1].choice : t.choice_count;
  for (uint32_t choice = t.steps[step].choice; choice < end; ++choice)
    if (t.choices[choice].kind != trace::ChoiceKind::kThread) return true;
  return false;
}

// The execution is again where it began.
void GoRound() {
  const Cycle cycle = CycleSince(tour.step);
  // Of a longer one it is not known who only waits in it.
  if (g_trace->step_count - tour.step > StepLog::kSteps) EndTour(cycle);
  if (IsFair(cycle)) {
    if (IsPoliteBackOff(cycle)) EndAsRedundant();
    EndAsLivelock(log, cycle, 0);
  }
  const uint64_t out = cycle.enabled & ~cycle.ran & EnabledNow();
  const uint32_t length = g_trace->step_count - tour.step;
  if (out == 0 && (tour.moved++ >= length || MakesChoices(tour.step))) EndTour(cycle);
  // A plan that says otherwise may keep them out for ever.
  if (out != 0 && tour.rounds++ == kMostRounds) EndTour(cycle);
  tour.moves = out == 0;
  tour.goes = tour.moves ? g_trace->steps[tour.step].thread
                         : static_cast<op::ThreadId>(std::countr_zero(out));
  tour.until = g_trace->step_count + kMostSteps;
}

// At a state of a tour.
void GoOn(const plan::Key& key) {
  if (tour.moves) {  // the same step, from the same state
    tour.begin = key;
    ++tour.step;
  } else if (!(key == tour.begin)) {
    if (g_trace->step_count < tour.until) return;
    EndTour(CycleSince(tour.step));
  }
  GoRound();
}

}  // namespace

void BeginVisiting() {
  const auto& settings = ChannelHeader().settings;
  g_state.takes_states = settings.visited == channel::Visited::kStates;
  if (!g_state.takes_states) return;
  check::g_accessed_once = true;
  g_state.joint_from = ~0u;
  const plan::Visiting& visiting = VisitingOfPlan();
  g_state.states_now = visiting.by == nullptr;
  if (visiting.by != nullptr) visiting.by->Begin(visiting.search);
}

void NoteStep(uint32_t step, const Fiber& fiber) {
  log.at[step % StepLog::kSteps] = fiber.pending.pc;
  changes_before[step % StepLog::kSteps] = fiber.changes;
}

void VisitState(Fiber& self) {
  if (!g_state.several_threads) return;
  const plan::Visiting& visiting = VisitingOfPlan();
  const PlanLeft left = LeftOfPlan();
  if (visiting.by != nullptr && left == PlanLeft::kMuch) return;
  Moment moment;
  if (!DigestState(self, moment.key)) {
    NoteWeakness(
        "some states of the program could not be told apart by what heddle knows of them, and "
        "executions were not ended there: the search may take longer, or not end");
    return;
  }
  if (g_state.tours) return GoOn(moment.key);
  moment.cost_key = CostKey();
  moment.step = g_trace->step_count;
  if (visiting.by != nullptr && left == PlanLeft::kLast)
    return visiting.by->Pass(visiting.search, moment);
  g_state.states_now = true;
  const Meeting met =
      visiting.by != nullptr ? visiting.by->Visit(visiting.search, moment) : VisitOwn(moment);
  if (!met.known) return;
  if (!met.IsCycle() || g_used_fibers > kStandings) {
    NoteWeakness(
        "livelocks are told only where one execution goes round: one that is made of the ways of "
        "several executions is not (--reduction none without --visited looks for these)");
    EndAsRedundant();
  }
  g_state.tours = true;
  g_trace->repeats_from = g_trace->choice_count + 1;
  tour = {moment.key, met.since, 0, 0, false, 0, op::kNoThread};
  GoRound();
}

op::ThreadId ThreadOfTour(op::ThreadSet options, op::ThreadId fallback) {
  return options.Has(tour.goes) ? tour.goes : fallback;
}

}  // namespace heddle::runtime
