#include "runtime/fibers/plan_follower.h"

#include <algorithm>

#include "base/check.h"
#include "base/hash.h"
#include "op/dependence.h"
#include "runtime/bounded_text.h"
#include "runtime/fibers/table.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/memory/execution_state.h"
#include "runtime/memory/tables.h"
#include "runtime/prim/lifetime.h"
#include "runtime/runtime.h"
#include "trace/memory_choice.h"

namespace heddle::runtime {

[[HEDDLE_OF_EXECUTION]] uint32_t g_sleepers_waiting;

namespace {

struct Followed {
  const plan::Deviation* next;
  const plan::Deviation* end;
  const op::ThreadId* script;
  const op::ThreadId* script_end;
  std::span<const plan::ScriptOption> options;
  std::span<const plan::Sleeper> sleepers;
  plan::Steered steering;
  plan::Visiting visiting;
  plan::EndAt end_at;
  plan::Sampled sampled;
  plan::Tail tail;
  bool lenient;
  bool tentative;
  bool end_if_vain;
  bool looks_first;
  bool lowest_first;
  uint32_t script_steps;
  uint32_t most_cost;
  uint32_t stale_left;
  bool asleep;  // somebody may still sleep
  uint64_t random;
  const uint32_t* newer;  // of each step of the script; null: none
};
[[HEDDLE_OF_EXECUTION]] Followed f;
[[HEDDLE_LASTS("of all steps so far")]] uint32_t most_of_step = 1;  // choices that one has made
// By entry of the plan's sleepers. Those beyond do not sleep, which loses nothing.
constexpr uint32_t kMostSleepers = 1u << 16;
struct Sleepers {
  op::FixedThreadSet<kMaxFibers> threads;  // with all their options
  bool sleeps[kMostSleepers];
};
Sleepers& sleepers = *reinterpret_cast<Sleepers*>(TableAddress(kSleepersTable));
[[HEDDLE_OF_EXECUTION]] uint32_t sleeper_count;

// Before the last step of the script.
void FallAsleep() {
  for (uint32_t i = 0; i < sleeper_count; ++i) {
    const plan::Sleeper& sleeper = f.sleepers[i];
    sleepers.sleeps[i] = true;
    sleepers.threads.Add(sleeper.thread);
  }
  g_sleepers_waiting = sleeper_count;
  f.asleep = true;
}

// The step that entry `i` belongs to wakes.
void WakeStep(uint32_t i) {
  const plan::Sleeper& woken = f.sleepers[i];
  for (uint32_t k = 0; k < sleeper_count; ++k) {
    const plan::Sleeper& sleeper = f.sleepers[k];
    if (!sleepers.sleeps[k] || sleeper.thread != woken.thread) continue;
    sleepers.sleeps[k] = false;
    --g_sleepers_waiting;
  }
  sleepers.threads.Remove(woken.thread);
}

op::ThreadId TakeStep() {
  if (f.script + 1 == f.script_end && !f.sleepers.empty()) FallAsleep();
  return *f.script++;
}

}  // namespace

void InitPlanFollower() {
  MapTable(kSleepersTable, sizeof(Sleepers));
  AddExecutionTable({
      .reset = nullptr,  // FollowPlan does that
      .save =
          [](base::SavedBytes& to) {
            sleepers.threads.Save(to);
            to.Put(sleepers.sleeps, sleeper_count);
          },
      .restore =
          [](base::SavedBytesReader& from) {
            sleepers.threads.Restore(from);
            from.Get(sleepers.sleeps, sleeper_count);
          },
  });
}

void FollowPlan(const plan::Plan& plan) {
  f.next = plan.deviations.data();
  f.end = f.next + plan.deviations.size();
  f.script = plan.script.data();
  f.script_end = f.script + plan.script.size();
  f.newer = plan.newer.empty() ? nullptr : plan.newer.data();
  f.options = plan.options;
  f.sleepers = plan.sleepers;
  f.steering = plan.steering;
  f.visiting = plan.visiting;
  f.end_at = plan.end_at;
  f.sampled = plan.sampled;
  f.tail = plan.tail;
  f.lenient = plan.lenient;
  f.tentative = plan.tentative;
  f.end_if_vain = plan.end_if_vain;
  f.looks_first = plan.looks_first;
  f.lowest_first = plan.lowest_first;
  f.script_steps = static_cast<uint32_t>(plan.script.size());
  f.random = plan.seed;
  f.most_cost = plan.most_cost;
  f.stale_left = plan.most_stale;
  f.asleep = false;
  g_sleepers_waiting = 0;
  sleepers.threads.Reset(0);
  sleeper_count = plan.sleepers.size() < kMostSleepers ? static_cast<uint32_t>(plan.sleepers.size())
                                                       : kMostSleepers;
  for (const plan::Sleeper& sleeper : plan.sleepers) sleepers.threads.Widen(sleeper.thread + 1);
  const bool samples = f.tail == plan::Tail::kRandom && f.sampled.by != nullptr;
  if (samples) f.sampled.by->Begin(f.sampled.search);
}

namespace {

// The next of the plan's options that is for the thread; null: it names no more.
const plan::ScriptOption* NextOption(op::ThreadId thread) {
  for (uint32_t& at = FiberAt(thread).planned_options; at < f.options.size();) {
    const plan::ScriptOption& planned = f.options[at++];
    if (planned.thread == thread) return &planned;
  }
  return nullptr;
}

void PassOptions() {
  for (op::ThreadId id = 0; id < g_used_fibers; ++id) FiberAt(id).planned_options = 0;
  if (f.options.empty()) return;
  for (uint32_t i = 0; i < g_trace->choice_count; ++i) {
    const trace::Choice& choice = g_trace->choices[i];
    if (choice.kind != trace::ChoiceKind::kThread && !trace::IsOfMemory(choice.kind))
      NextOption(choice.running);
  }
}

}  // namespace

void FollowRestOfPlan(const plan::Plan& plan) {
  FollowPlan(plan);
  if (f.script != f.script_end) {
    f.script += g_trace->step_count - 1;  // number 0 is no step
    HEDDLE_CHECK(f.script < f.script_end);
    PassOptions();
  }
  while (f.next != f.end && f.next->choice < g_trace->choice_count) ++f.next;
}

std::optional<op::ThreadId> PlannedThread(uint32_t index) {
  if (f.script != f.script_end) return TakeStep();
  if (f.next == f.end || f.next->choice != index) return std::nullopt;
  return f.next++->option;
}

void PassForcedStep(op::ThreadId thread) {
  if (f.script != f.script_end) {
    const op::ThreadId planned = TakeStep();
    if (planned == thread || !PassesOver(planned)) return;
  }
  if (f.asleep && sleepers.threads.Has(thread)) EndAsRedundant();
  const plan::Steered& s = f.steering;
  if (s.by != nullptr && !s.by->LeadsOn(s.search, g_trace->state, thread)) EndAsRedundant();
}

std::optional<uint32_t> PlannedNewer() {
  const auto steps = static_cast<uint32_t>(f.script_steps);
  const uint32_t step = g_trace->step_count - 1;  // number 0 is no step
  if (f.newer == nullptr || step == 0 || step > steps) return std::nullopt;
  return f.newer[step - 1];
}

bool LowestFirst() { return f.lowest_first; }

std::optional<uint32_t> PlannedOption(uint32_t index, op::ThreadId thread) {
  if (const plan::ScriptOption* planned = NextOption(thread)) return planned->option;
  if (f.next == f.end || f.next->choice != index) return std::nullopt;
  return f.next++->option;
}

namespace {

// Where a thread is that the plan wants to go on.
void TellWhy(BoundedText& text, uint32_t thread) {
  if (thread >= g_used_fibers || FiberAt(thread).state == FiberState::kUnused) {
    text.Add(", which does not exist");
    return;
  }
  const Fiber& fiber = FiberAt(thread);
  if (fiber.state != FiberState::kPublished) {
    text.Add(", which has ended");
    return;
  }
  const op::Operation& waits = fiber.pending;
  text.Add(", which cannot: it stands before \"%s", op::Info(waits.kind).text);
  if (waits.object != 0 && op::Info(op::FamilyOf(waits.kind)).letter != 0)
    text.Add(" %%O%lx%%", waits.object);
  text.Add("\"");
  if (waits.pc != 0) text.Add(" at %%L%lx%%", waits.pc);
}

// What was done last.
void TellLast(BoundedText& text) {
  if (g_trace->event_count == 0) return;
  const trace::Event& last = g_trace->events[g_trace->event_count - 1];
  text.Add("; what came last was %%T%u%% %s", last.thread, op::Info(last.kind).text);
  const op::Operation& done = FiberAt(last.thread).pending;
  if (done.kind != last.kind) return;  // it stands before another one already
  if (done.object != 0 && op::Info(op::FamilyOf(done.kind)).letter != 0)
    text.Add(" %%O%lx%%", done.object);
  if (done.pc != 0) text.Add(" at %%L%lx%%", done.pc);
}

}  // namespace

bool PassesOver(uint32_t thread) {
  if (f.lenient) return false;
  // A thread that would only go round once more in a loop waits; nobody can know before it is
  // there.
  const bool spins =
      thread < g_used_fibers && (FiberAt(thread).spinning || FiberAt(thread).waits_after_round);
  if (f.tentative || spins) {
    if (f.script != f.script_end || f.script_steps == 0 || f.end_if_vain) EndAsRedundant();
    // Other sequences were left out because this one stood for them.
    TraceBuffers& t = *g_trace;
    t.steps[t.step_count++] = {.thread = thread,
                               .event = t.event_count,
                               .choice = t.choice_count,
                               .vain = 1,
                               .state = t.state};
    ++t.vain_steps;
    return true;
  }
  char why[360];
  BoundedText text = {why, why + sizeof why};
  text.Add("the schedule did not replay: after %u operations it lets %%T%u%% go on",
           g_trace->event_count, thread);
  TellWhy(text, thread);
  TellLast(text);
  EndExecution(trace::EndKind::kDiverged, 0, 0, 0, "%s", why);
}

void NoSuchOption(op::ThreadId thread, uint32_t option, uint32_t options) {
  if (f.lenient) return;
  if (f.tentative) EndAsRedundant();
  char why[360];
  BoundedText text = {why, why + sizeof why};
  text.Add("the schedule did not replay: after %u operations %%T%u%% takes option %u, but has %u",
           g_trace->event_count, thread, option + 1, options);
  TellLast(text);
  EndExecution(trace::EndKind::kDiverged, 0, 0, 0, "%s", why);
}

bool InScript() { return f.script != f.script_end; }
bool IsLastOfScript(uint32_t step) { return step != 0 && step == f.script_steps; }
bool LooksFirst() { return f.looks_first; }
bool EndsIfVain() { return f.end_if_vain; }

void NoteChoiceOfStep() {
  const TraceBuffers& t = *g_trace;
  most_of_step = std::max(most_of_step, t.choice_count + 1 - t.steps[t.step_count - 1].choice);
}

PlanLeft LeftOfPlan() {
  if (f.script != f.script_end) return PlanLeft::kMuch;
  if (f.next == f.end) return PlanLeft::kNothing;
  const bool near = f.end[-1].choice - g_trace->choice_count < most_of_step;
  return near ? PlanLeft::kLast : PlanLeft::kMuch;
}

const plan::Steered& SteeringOfPlan() { return f.steering; }
const plan::Visiting& VisitingOfPlan() { return f.visiting; }
const plan::EndAt& EndAtOfPlan() { return f.end_at; }

bool ChoosesAtRandom() { return f.tail == plan::Tail::kRandom && f.next == f.end; }

const plan::Sampled& SamplerOfPlan() { return f.sampled; }

uint32_t NextRandomBelow(uint32_t bound) { return base::NextBelow(f.random, bound); }
uint32_t MostCostAtRandom() { return f.most_cost; }
bool MayDrawStale() { return f.stale_left != 0; }
void TakeStale() { --f.stale_left; }

op::ThreadSet Sleeping() {
  return f.asleep && g_sleepers_waiting != 0 ? sleepers.threads.Operand() : op::ThreadSet();
}

void EndAsRedundant() {
  EndExecution(trace::EndKind::kRedundant, trace::kCutByPlan, 0, 0, "explored in another order");
}

void WakeSleepers(uint32_t object, op::Access access) {
  for (uint32_t i = 0; i < sleeper_count; ++i) {
    const plan::Sleeper& sleeper = f.sleepers[i];
    if (!sleepers.sleeps[i]) continue;
    const bool depends = sleeper.object == plan::Sleeper::kAnyObject ||
                         (sleeper.object == object && !op::Commute(sleeper.access, access));
    if (depends) WakeStep(i);
  }
}

}  // namespace heddle::runtime
