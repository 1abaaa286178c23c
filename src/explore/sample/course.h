// What all orders have in common that draw schedules with a plan::Sampler (docs/algorithms/
// sampling.md): random numbers, what they learn of the program's size, and patience.
//
// Execution i draws from a seed of its own, made from Options.seed and i. So it is a function of
// these two and of what was learnt before it, and a search goes on where it was when the program
// kills its process.
//
// Patience: a thread that waits by yielding, by going round in a loop or by timing out can go on
// for ever, and the thread that it waits for may be the one that an algorithm passes over. So after
// a few such steps, which are like any other, a toss decides at every further one whether the
// thread gives way. A thread that gives way every other time on average waits for no more than a
// few rounds with probability 1, and no schedule is lost: all that the tosses cost is a factor of 2
// in the probability of a schedule, for each.
//
//   struct State : Course {
//     void Prepare(const Options&);          // before an execution: makes room
//     void BeginExecution();                 // ... begins: makes the draws that are made once
//     op::ThreadId Choose(const plan::SchedulerView&);
//     void Learn(const trace::Execution&);
//   };
//   class Foo final : public SamplingWalk<State> { ... };
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/hash.h"
#include "explore/explorer.h"
#include "explore/sample/per_thread.h"
#include "op/thread_set.h"
#include "plan/sampler.h"
#include "trace/execution.h"

namespace heddle::explore {

// A thread's steps at a yield, or by an early timeout, that are like any other.
inline constexpr uint32_t kPatientSteps = plan::kFreeStays;

struct Course {
  uint64_t executions = 0;
  uint32_t most_threads = 0;  // of an execution
  uint32_t most_choices = 0;  // of threads, in an execution
  bool only_one = false;      // schedule: there is nothing to draw

  // --- of the execution that runs ---
  uint64_t seed = 0;
  uint64_t random = 0;
  PerThread<uint32_t> waits;       // steps at a yield, or by an early timeout
  std::vector<uint64_t> patience;  // scratch: who need not give way

  void Prepare(uint64_t search_seed);
  void BeginExecution();
  void Learn(const trace::Execution& execution);

  bool Toss() { return (base::NextRandom(random) >> 63) != 0; }
  // A number below `bound`. REQUIRES: bound > 0.
  uint32_t Below(uint32_t bound) { return base::NextBelow(random, bound); }

  static bool Waits(const plan::SchedulerView& view, op::ThreadId thread) {
    return view.yielding.Has(thread) || view.early.Has(thread);
  }
  // The thread has had its patient steps, and would make another one.
  bool IsImpatient(const plan::SchedulerView& view, op::ThreadId thread) {
    return Waits(view, thread) && waits[thread] >= kPatientSteps;
  }
  // Who can go on, but for those that give way. Valid until the next step.
  // ENSURES: somebody.
  op::ThreadSet Options(const plan::SchedulerView& view);
  // The thread makes the step.
  void NoteStep(const plan::SchedulerView& view, op::ThreadId thread) {
    if (Waits(view, thread)) ++waits[thread];
  }
};

// Do the two operations, of different threads, depend on each other, by what they access?
bool Race(const op::Operation& a, const op::Operation& b);

template <typename State>
class SamplerOf final : public plan::Sampler {
 public:
  void Begin(void* search) const override {
    auto& state = *static_cast<State*>(search);
    state.Course::BeginExecution();
    state.BeginExecution();
  }
  op::ThreadId Thread(void* search, const plan::SchedulerView& view) const override {
    auto& state = *static_cast<State*>(search);
    const op::ThreadId thread = state.Choose(view);
    state.NoteStep(view, thread);
    return thread;
  }
};

template <typename StateOf>
class SamplingWalk : public Explorer {
 public:
  using State = StateOf;

  SamplingWalk(State* state, const Options& options) : s_(*state), options_(options) {}

  std::optional<plan::Plan> NextPlan() override {
    if (s_.only_one) return std::nullopt;
    s_.Course::Prepare(options_.seed);
    s_.Prepare(options_);
    return plan::Plan{.deviations = {},
                      .tail = plan::Tail::kRandom,
                      .seed = s_.seed,
                      .sampled = {&kSampler, &s_}};
  }
  void Learn(const trace::Execution& execution) override {
    s_.Learn(execution);
    s_.Course::Learn(execution);
  }
  bool Complete() const override { return s_.only_one; }
  uint32_t MostChoices() const override { return s_.most_choices; }

 private:
  static constexpr SamplerOf<State> kSampler = {};

  State& s_;
  const Options options_;
};

}  // namespace heddle::explore
