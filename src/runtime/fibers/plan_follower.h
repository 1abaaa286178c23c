// What the plan says about the choices of the running execution (plan/plan.h), and which threads it
// lets sleep. The scheduler asks; where the plan is silent, it takes the default.
//
// A plan is deviations by the number of the choice, or a script that names the thread of every
// step. After the script the default passes over sleeping threads. An event that the next step of a
// sleeping thread depends on wakes it. What that step accesses is known, because the same step was
// run before from an earlier state, and nothing that it depends on has happened since
// (plan::Sleeper).
#pragma once

#include <cstdint>
#include <optional>

#include "op/thread_set.h"
#include "plan/plan.h"

namespace heddle::runtime {

// Once, before the first execution.
void InitPlanFollower();

// From here on, at the beginning of an execution or in the middle of one.
void FollowPlan(const plan::Plan& plan);
// The same in the middle of an execution that has made the first steps and choices of the trace as
// the plan names them. REQUIRES: the last step that its script names, if it has one, is to come.
void FollowRestOfPlan(const plan::Plan& plan);

// A step begins whose thread is chosen at choice point `index`: the thread that the plan names.
std::optional<op::ThreadId> PlannedThread(uint32_t index);
// A step begins with the only thread that can go on.
void PassForcedStep(op::ThreadId thread);
// The option that the plan names for choice point `index` of another kind, at which `thread`
// chooses among `options`.
std::optional<uint32_t> PlannedOption(uint32_t index, op::ThreadId thread);

// Likewise for the writes that an atomic access is older than, by a script.
std::optional<uint32_t> PlannedNewer();
// plan::Plan::lowest_first.
bool LowestFirst();

// The thread that the plan names cannot go on: ends the execution as the plan wants it; or passes
// over it, as over a vain step, and the execution goes on without the plan (true); or the default
// will do (false).
bool PassesOver(uint32_t thread);
// Likewise of the option at which `thread` chooses: there are so many.
void NoSuchOption(op::ThreadId thread, uint32_t option, uint32_t options);

// The script names more steps than have begun.
bool InScript();
bool IsLastOfScript(uint32_t step);
// Is that step, if it is vain, to end the execution?
bool EndsIfVain();
bool LooksFirst();

// A step makes a choice other than that of its thread.
void NoteChoiceOfStep();
// How much is left of the deviations: the last one is near if it may come in the step that begins.
enum class PlanLeft : uint8_t { kMuch, kLast, kNothing };
PlanLeft LeftOfPlan();
// Who is to be asked whether the program was in its present state before.
const plan::Visiting& VisitingOfPlan();

// Who is to be asked what the plan does not name.
const plan::Steered& SteeringOfPlan();

// Where it ends, if not by itself.
const plan::EndAt& EndAtOfPlan();

// The plan names nothing more, and wants random choices from here on.
bool ChoosesAtRandom();
uint32_t NextRandomBelow(uint32_t bound);
// Who is to be asked for the thread of each step then.
const plan::Sampled& SamplerOfPlan();
uint32_t MostCostAtRandom();
// May one more access be drawn that is not of the newest write? If so, and it is, TakeStale.
bool MayDrawStale();
void TakeStale();

// Threads asleep. REQUIRES: the script is at its end.
op::ThreadSet Sleeping();
// Every thread that could go on is asleep.
[[noreturn]] void EndAsRedundant();

extern uint32_t g_sleepers_waiting;  // entries that an event may wake
void WakeSleepers(uint32_t object, op::Access access);

// An event accessed the object with this number.
inline void NoteAccess(uint32_t object, op::Access access) {
  if (__builtin_expect(g_sleepers_waiting != 0, 0)) WakeSleepers(object, access);
}

}  // namespace heddle::runtime
