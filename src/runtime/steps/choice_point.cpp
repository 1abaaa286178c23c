#include "runtime/steps/choice_point.h"

#include "base/check.h"
#include "plan/random_tail.h"
#include "runtime/fibers/plan_follower.h"
#include "runtime/fibers/schedule.h"
#include "runtime/fibers/trace_buffers.h"
#include "runtime/loops/await.h"
#include "runtime/loops/run_out.h"
#include "runtime/runtime.h"
#include "runtime/states/frame_snapshot.h"
#include "trace/memory_choice.h"

namespace heddle::runtime {
namespace {

constexpr Schedule& s = g_schedule;
ThreadSets& sets = *reinterpret_cast<ThreadSets*>(TableAddress(kThreadSetsTable));

// The thread with the earliest deadline among those that only time can let go; ties by number.
uint32_t EarliestDeadline(op::ThreadSet without) {
  uint32_t best = op::kNoThread;
  (sets.timed - without).ForEach([&](op::ThreadId id) {
    if (best == op::kNoThread || g_fibers[id].deadline < g_fibers[best].deadline) best = id;
  });
  return best;
}

inline __attribute__((always_inline)) trace::Choice& NewChoice(trace::ChoiceKind kind) {
  TraceBuffers& t = *g_trace;
  HEDDLE_CHECK(t.choice_count < t.choice_capacity);
  trace::Choice& choice = t.choices[t.choice_count];
  choice.kind = kind;
  choice.running = s.running;
  choice.event = t.event_count;
  choice.sets = t.word_count;
  choice.set_words = 0;
  choice.running_open = false;
  choice.stays_free = false;
  choice.early_timeouts = false;
  choice.running_waits = false;
  return choice;
}

// Who goes on if nothing else is said and `running` does not: the next thread, round robin, rather
// one that does not yield; not one of those in `without`.
uint32_t NextInTurn(op::ThreadSet without) {
  const auto open = sets.open - without;
  uint32_t thread = (open - sets.yielding).NextAfter(s.running);
  if (thread == op::kNoThread) thread = open.NextAfter(s.running);
  if (thread == op::kNoThread) thread = EarliestDeadline(without);
  return thread;
}

// For searches that learn from vain rounds: a race with a loop's read can be judged only if it is
// known at which values the loop goes round. So a thread that has not looked at the present value
// goes first, and one that is about to change what loops wait for goes last.
uint32_t PreferLooks(uint32_t fallback) {
  if (!g_state.awaits || !LooksFirst()) return fallback;
  sets.avoided.Clear();
  uint32_t looks = op::kNoThread;
  sets.open.ForEach([&](op::ThreadId id) {
    const Fiber& fiber = g_fibers[id];
    if (looks == op::kNoThread && AwaitState(fiber) != 0) looks = id;
    if (sets.yielding.Has(id) || ChangesWhatLoopsWaitFor(fiber)) sets.avoided.Add(id);
  });
  if (looks != op::kNoThread) return looks;
  if (!sets.avoided.Has(fallback)) return fallback;
  const uint32_t other = (sets.open - sets.avoided).NextAfter(s.running);
  return other != op::kNoThread ? other : fallback;
}

class PublishedOperations final : public plan::PendingOperations {
 public:
  const op::Operation& Before(op::ThreadId thread) const override {
    return g_fibers[thread].pending;
  }
};
constexpr PublishedOperations kPublished;

op::ThreadId Sample(const plan::Sampled& sampled, op::ThreadSet options, op::ThreadSet early) {
  return sampled.by->Thread(sampled.search, {options, early, sets.yielding.Operand(), kPublished});
}

op::ThreadSet EarlyTimeouts(const trace::Choice& choice, op::ThreadSet options) {
  return op::ThreadSet(options.Words().data() + options.Width(),
                       choice.early_timeouts ? options.Width() : 0);
}

// plan/random_tail.h
uint32_t ChooseAtRandom(const trace::Choice& choice, op::ThreadSet options) {
  const uint32_t most = MostCostAtRandom();
  if (most == 0xffffffffu) return options.Nth(NextRandomBelow(choice.option_count));
  const op::ThreadSet early = EarlyTimeouts(choice, options);
  const auto costs = [&](op::ThreadId id) {
    return trace::PriceOf(choice, id, early.Has(id)) != trace::Price::kNothing;
  };
  uint32_t costly = 0;
  options.ForEach([&](op::ThreadId id) { costly += costs(id); });
  const bool wanted = costly != 0 && g_trace->cost.Sum() < most &&
                      NextRandomBelow(plan::CostlyOneIn(g_trace->step_count)) == 0;
  uint32_t skip = NextRandomBelow(wanted ? costly : choice.option_count - costly);
  uint32_t chosen = choice.fallback;
  options.ForEach([&](op::ThreadId id) {
    if (costs(id) == wanted && skip-- == 0) chosen = id;
  });
  return chosen;
}

// Of those that need no time to pass; rather one that does not yield, and least one that ends the
// program.
uint32_t Lowest(op::ThreadSet options, uint32_t fallback) {
  uint32_t ends = op::kNoThread;
  uint32_t yields = op::kNoThread;
  uint32_t lowest = op::kNoThread;
  options.ForEach([&](op::ThreadId id) {
    if (!sets.open.Has(id)) return;
    uint32_t& found = g_fibers[id].pending.kind == op::Kind::kProgramExit ? ends
                      : sets.yielding.Has(id)                             ? yields
                                                                          : lowest;
    if (found == op::kNoThread) found = id;
  });
  if (lowest != op::kNoThread) return lowest;
  if (yields != op::kNoThread) return yields;
  return ends != op::kNoThread ? ends : fallback;
}

// What the plan says, or the default, or the next of those awake.
uint32_t DecideThread(trace::Choice& choice, op::ThreadSet options) {
  const uint32_t index = g_trace->choice_count;
  const uint32_t fallback = choice.fallback;
  if (const auto planned = PlannedThread(index)) {
    const op::ThreadId thread = *planned & ~trace::kLeavesWaiting;
    choice.running_waits = thread != *planned;
    if (options.Has(thread)) return thread;
    if (!PassesOver(thread)) return fallback;
  }
  if (const auto& [steering, search] = SteeringOfPlan(); steering != nullptr) {
    const op::ThreadSet early = EarlyTimeouts(choice, options);
    const op::ThreadId thread = steering->Thread(search, g_trace->state, options, early, fallback);
    if (thread != op::kNoThread) return thread;
    // The explorer wants to know who could have gone on.
    g_trace->choices[g_trace->choice_count++].chosen = fallback;
    EndAsRedundant();
  }
  if (ChoosesAtRandom()) {
    const plan::Sampled& sampled = SamplerOfPlan();
    if (sampled.by != nullptr) return Sample(sampled, options, EarlyTimeouts(choice, options));
    return ChooseAtRandom(choice, options);
  }
  if (LowestFirst()) return Lowest(options, fallback);
  const op::ThreadSet asleep = Sleeping();
  const uint32_t preferred = PreferLooks(fallback);
  if (!asleep.Has(preferred)) return preferred;
  const uint32_t awake = asleep.Has(fallback) ? NextInTurn(asleep) : fallback;
  if (awake == op::kNoThread) EndAsRedundant();
  return awake;
}

// The newest write as often as any other, or loops that wait for it would hardly ever end.
uint32_t DrawOption(trace::ChoiceKind kind, uint32_t options) {
  if (!trace::IsOfMemory(kind)) return NextRandomBelow(options);
  if (!MayDrawStale() || NextRandomBelow(2) == 0) return 0;
  TakeStale();
  return 1 + NextRandomBelow(options - 1);
}

uint32_t DecideOption(trace::ChoiceKind kind, uint32_t index, uint32_t options) {
  if (trace::IsOfMemory(kind)) {
    const auto newer = PlannedNewer();
    if (newer && *newer < options) return *newer;
    if (newer) NoSuchOption(Current().id, *newer, options);
    if (LowestFirst()) return 0;
  }
  if (const auto planned = PlannedOption(index, Current().id)) {
    if (*planned < options) return *planned;
    NoSuchOption(Current().id, *planned, options);
    return 0;
  }
  if (const auto& [steering, search] = SteeringOfPlan(); steering != nullptr) {
    const trace::Step& step = g_trace->steps[g_trace->step_count - 1];
    return steering->Option(search, step.state, step.thread, options);
  }
  return ChoosesAtRandom() ? DrawOption(kind, options) : 0;
}

// The early timeouts of a choice. For those who wait and count, to make their rounds is not to be
// early, so it costs no preemption.
void ListEarlyTimeouts(op::ThreadSetRef early) {
  early.Clear();
  if (s.open_count == 0) return;  // only time helps
  sets.timed.ForEach([&](op::ThreadId id) {
    if (!g_fibers[id].may_run_out) early.Add(id);
  });
}

}  // namespace

op::ThreadId ChooseThread() {
  TraceBuffers& t = *g_trace;
  trace::Choice& choice = NewChoice(trace::ChoiceKind::kThread);
  const uint32_t running = s.running;
  const bool enabled = sets.open.Has(running);
  const bool yields = enabled && sets.yielding.Has(running);
  const bool preemptible = enabled && !yields;
  const uint32_t fallback = preemptible ? running : NextInTurn({});
  const uint32_t width = sets.open.Width();
  HEDDLE_CHECK(t.word_count + 2 * width <= t.word_capacity);
  uint64_t* open = t.words + t.word_count;
  t.word_count += width;
  if (__builtin_expect(s.timed_count == 0, 1)) {
    sets.open.CopyTo(open);
  } else {
    (sets.open | sets.timed).CopyTo(open);
    const op::ThreadSetRef early(open + width, width);
    ListEarlyTimeouts(early);
    choice.early_timeouts = !early.Empty();
    if (choice.early_timeouts) t.word_count += width;
  }
  Fiber& last = g_fibers[running];

  choice.running_open = enabled;
  // The last look leads out of a loop, so nobody stays there for ever.
  const bool leaves = yields && MakesLastLook(last);
  choice.stays_free = yields && (leaves || last.stays < plan::kFreeStays);
  choice.set_words = static_cast<uint16_t>(width);
  choice.option_count = s.open_count + s.timed_count;
  choice.fallback = fallback;
  const uint32_t chosen = DecideThread(choice, op::ThreadSet(open, width));
  choice.chosen = chosen;
  ++t.choice_count;
  const bool early = choice.early_timeouts && op::ThreadSet(open + width, width).Has(chosen);
  t.cost.Add(trace::PriceOf(choice, chosen, early));
  if (chosen != running)
    last.stays = 0;
  else if (choice.stays_free && !leaves)
    ++last.stays;
  return chosen;
}

void ForceThread(op::ThreadId only) {
  PassForcedStep(only);
  const plan::Sampled& sampled = SamplerOfPlan();
  if (__builtin_expect(sampled.by == nullptr, 1) || !ChoosesAtRandom()) return;
  Sample(sampled, s.open_count != 0 ? sets.open.Operand() : sets.timed.Operand(), {});
}

// By itself: who decides leaves other things behind than when it was decided before
// (ClearDeadStack).
[[gnu::noinline]] static uint32_t NewOption(trace::ChoiceKind kind, uint32_t options) {
  NoteChoiceOfStep();
  TraceBuffers& t = *g_trace;
  trace::Choice& choice = NewChoice(kind);
  choice.option_count = options;
  choice.fallback = 0;
  choice.running = Current().id;
  choice.chosen = DecideOption(kind, t.choice_count, options);
  ++t.choice_count;
  return choice.chosen;
}

uint32_t ChooseOption(trace::ChoiceKind kind, uint32_t options) {
  HEDDLE_CHECK(options >= 1);
  if (options == 1) return 0;
  const uint32_t option = NewOption(kind, options);
  if (__builtin_expect(g_state.takes_states, 0)) ClearDeadStack();
  return option;
}

}  // namespace heddle::runtime
