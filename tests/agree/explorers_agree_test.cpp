// Every explorer against plain enumeration, on random small programs.
//
// HEDDLE_AGREE_PROGRAMS sets how many (default 200), HEDDLE_AGREE_SEED the first seed; a failure
// prints the seed of its program. The explorer objects are made anew for every execution, over the
// same State, as after the death of the program's process.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "draw_priorities.h"
#include "enumerate.h"
#include "explore/best/best_first.h"
#include "explore/compose/minimise.h"
#include "explore/coverage.h"
#include "explore/enumerate/depth_first.h"
#include "explore/main_loop.h"
#include "explore/random_walk.h"
#include "explore/sample/pct.h"
#include "explore/sample/pos.h"
#include "explore/sample/rff.h"
#include "explore/sample/surw.h"
#include "from_environment.h"
#include "generate.h"
#include "trace/cost.h"
#include "unit/every_choice.h"

namespace heddle::agree {
namespace {

using explore::BestFirst;
using explore::ContextBounded;
using explore::Coverage;
using explore::DepthFirst;
using explore::Options;
using target::FakeTarget;
using trace::EndKind;

constexpr size_t kMostSchedules = 3000;

bool IsBug(EndKind kind) { return kind == EndKind::kAssertion || kind == EndKind::kDeadlock; }

std::vector<Seen> Sorted(std::vector<Seen> runs) {
  std::sort(runs.begin(), runs.end());
  return runs;
}

std::vector<Seen> UpTo(const std::vector<Seen>& runs, uint32_t preemptions) {
  std::vector<Seen> result;
  std::ranges::copy_if(runs, std::back_inserter(result),
                       [&](const Seen& run) { return run.preemptions <= preemptions; });
  return result;
}

template <typename T>
struct Search {
  std::vector<Seen> runs;  // in the order in which they ran
  bool complete = false;
  int64_t completed_bound = -1;
};

// Runs an explorer of type T to its end; `check` sees the explorer and every execution before
// Learn.
template <typename T, typename Check>
Search<T> Explore(FakeTarget& target, const Options& options, size_t limit, Check check) {
  typename T::State state;
  Search<T> search;
  for (;;) {
    const auto plan = T(&state, options).NextPlan();
    if (!plan || search.runs.size() > limit) break;
    const trace::Execution& execution = target.Run(*plan);
    search.runs.push_back(Describe(target, execution));
    T again(&state, options);
    check(again, execution);
    again.Learn(execution);
  }
  search.complete = T(&state, options).Complete();
  search.completed_bound = T(&state, options).CompletedBound();
  return search;
}

// Least preemptions of every happens-before graph, cumulated, from the reference.
std::vector<uint64_t> ByPreemptions(const std::vector<Seen>& runs) {
  std::map<uint64_t, uint32_t> least;
  for (const Seen& run : runs) {
    if (run.end == EndKind::kRedundant) continue;
    const auto [it, added] = least.try_emplace(run.happens_before, run.preemptions);
    if (!added) it->second = std::min(it->second, run.preemptions);
  }
  std::vector<uint64_t> result;
  for (const auto& [graph, preemptions] : least) {
    if (result.size() <= preemptions) result.resize(preemptions + 1);
    ++result[preemptions];
  }
  for (size_t i = 1; i < result.size(); ++i) result[i] += result[i - 1];
  return result;
}

void CheckReference(const std::vector<Seen>& reference) {
  std::set<uint64_t> schedules;
  std::map<uint64_t, std::pair<uint64_t, EndKind>> meaning;  // of a happens-before graph
  std::map<uint64_t, uint64_t> graph_of;                     // of a hash
  std::map<uint64_t, uint64_t> hash_of;                      // of a graph
  for (const Seen& run : reference) {
    EXPECT_TRUE(schedules.insert(run.schedule).second) << "a schedule twice";
    EXPECT_NE(run.end, EndKind::kDiverged);
    EXPECT_NE(run.end, EndKind::kMisuse);
    const std::pair result(run.outcome, run.end);
    EXPECT_EQ(meaning.try_emplace(run.happens_before, result).first->second, result)
        << "one happens-before graph, two outcomes";
    EXPECT_EQ(graph_of.try_emplace(run.happens_before, run.graph).first->second, run.graph);
    EXPECT_EQ(hash_of.try_emplace(run.graph, run.happens_before).first->second, run.happens_before);
  }
}

void CheckDepthFirst(FakeTarget& target, const std::vector<Seen>& reference) {
  auto costs_add_up = [](const DepthFirst&, const trace::Execution& execution) {
    uint32_t sum = 0;
    for (size_t i = 0; i < execution.choices.size(); ++i) {
      const trace::Choice& choice = execution.choices[i];
      const trace::Cost before = trace::CostOf(execution, i);
      EXPECT_EQ(before.preemptions + before.early_timeouts, sum);
      sum += trace::Costs(execution, choice, choice.chosen) ? 1 : 0;
    }
    EXPECT_EQ(execution.Cost(), sum);
  };
  const auto all = Explore<DepthFirst>(target, {}, reference.size(), costs_add_up);
  EXPECT_EQ(Sorted(all.runs), reference) << "depth-first";
  EXPECT_TRUE(all.complete);
  for (uint32_t bound : {0u, 1u, 2u}) {
    Options options;
    options.bound.most = bound;
    const auto some = Explore<DepthFirst>(target, options, reference.size(), costs_add_up);
    const auto expected = UpTo(reference, bound);
    EXPECT_EQ(Sorted(some.runs), expected) << "depth-first, bound " << bound;
    EXPECT_EQ(some.complete, expected.size() == reference.size()) << "bound " << bound;
    EXPECT_EQ(some.completed_bound, bound);
  }
}

void CheckContextBounded(FakeTarget& target, const std::vector<Seen>& reference) {
  auto in_its_bound = [](const ContextBounded& explorer, const trace::Execution& execution) {
    EXPECT_EQ(explorer.CurrentBound(), execution.Cost());
    EXPECT_EQ(explorer.CompletedBound(), int64_t{execution.Cost()} - 1);
  };
  const auto all = Explore<ContextBounded>(target, {}, reference.size(), in_its_bound);
  ASSERT_EQ(Sorted(all.runs), reference) << "context-bounded";
  EXPECT_TRUE(all.complete);
  EXPECT_TRUE(std::ranges::is_sorted(all.runs, {}, &Seen::preemptions));
  EXPECT_EQ(all.completed_bound, all.runs.back().preemptions);
  const auto first = std::ranges::find_if(all.runs, [](const Seen& run) { return IsBug(run.end); });
  for (const Seen& run : reference) {
    if (!IsBug(run.end)) continue;
    EXPECT_LE(first->preemptions, run.preemptions) << "not the simplest bug";
  }
  for (uint32_t bound : {0u, 1u}) {
    Options options;
    options.bound.most = bound;
    const auto some = Explore<ContextBounded>(target, options, reference.size(), in_its_bound);
    const auto expected = UpTo(reference, bound);
    EXPECT_EQ(Sorted(some.runs), expected) << "context-bounded, bound " << bound;
    EXPECT_EQ(some.complete, expected.size() == reference.size()) << "bound " << bound;
  }
}

// Of delays the same as of preemptions, in both orders.
void CheckDelays(FakeTarget& target, const std::vector<Seen>& reference) {
  const auto nothing = [](const auto&, const trace::Execution&) {};
  Options options;
  options.bound.unit = space::Unit::kDelays;
  const auto all = Explore<ContextBounded>(target, options, reference.size(), nothing);
  ASSERT_EQ(Sorted(all.runs), reference) << "by delays";
  EXPECT_TRUE(all.complete);
  EXPECT_TRUE(std::ranges::is_sorted(all.runs, {}, &Seen::delays));
  EXPECT_EQ(all.completed_bound, all.runs.back().delays);
  for (uint32_t bound : {0u, 1u, 2u}) {
    options.bound.most = bound;
    std::vector<Seen> expected;
    std::ranges::copy_if(reference, std::back_inserter(expected),
                         [&](const Seen& run) { return run.delays <= bound; });
    const auto first = Explore<DepthFirst>(target, options, reference.size(), nothing);
    const auto second = Explore<ContextBounded>(target, options, reference.size(), nothing);
    EXPECT_EQ(Sorted(first.runs), expected) << "depth-first, delays " << bound;
    EXPECT_EQ(Sorted(second.runs), expected) << "context-bounded, delays " << bound;
    EXPECT_EQ(first.complete, expected.size() == reference.size()) << "delays " << bound;
    EXPECT_EQ(second.complete, expected.size() == reference.size()) << "delays " << bound;
    EXPECT_EQ(first.completed_bound, bound);
  }
}

// Best first, with priority functions drawn by `seed`, without a bound and with bounds of
// preemptions and delays: the same executions as depth first, each once. With pb in front, and
// without a bound of its own that cuts anything, those that cost less come first as far as they are
// known.
void CheckBestFirst(FakeTarget& target, uint64_t seed, const std::vector<Seen>& reference) {
  const auto nothing = [](const auto&, const trace::Execution&) {};
  Options options;
  options.seed = seed;
  options.priorities = DrawPriorities(seed);
  SCOPED_TRACE(space::NameOf(options.priorities));
  const auto all = Explore<BestFirst>(target, options, reference.size(), nothing);
  EXPECT_EQ(Sorted(all.runs), reference) << "best-first";
  EXPECT_TRUE(all.complete);
  for (const space::Unit unit : {space::Unit::kPreemptions, space::Unit::kDelays}) {
    for (uint32_t bound : {0u, 1u, 2u}) {
      options.bound = {unit, bound};
      const auto first = Explore<DepthFirst>(target, options, reference.size(), nothing);
      const auto best = Explore<BestFirst>(target, options, reference.size(), nothing);
      EXPECT_EQ(Sorted(best.runs), Sorted(first.runs)) << space::NameOf(unit) << " " << bound;
      EXPECT_EQ(best.complete, first.complete);
      EXPECT_EQ(best.completed_bound, bound);
    }
  }
  // Equal priorities: the same order as depth first.
  options = {};
  const auto equal = Explore<BestFirst>(target, options, reference.size(), nothing);
  EXPECT_EQ(equal.runs, Explore<DepthFirst>(target, options, reference.size(), nothing).runs);
  // Executions cost no less than those that they are made from, so none comes too late.
  options.priorities = {1, {space::Priority::kPb}};
  const auto fewest = Explore<BestFirst>(target, options, reference.size(), nothing);
  EXPECT_TRUE(std::ranges::is_sorted(fewest.runs, {}, &Seen::preemptions));
}

// Of depth: depth-first within the bound, and all in steps, of which each is run once.
void CheckDepth(FakeTarget& target, const std::vector<Seen>& reference) {
  const auto nothing = [](const auto&, const trace::Execution&) {};
  Options options;
  options.bound.unit = space::Unit::kDepth;
  for (uint32_t bound : {1u, 2u, 5u}) {
    options.bound.most = bound;
    options.bound.iterate = false;
    std::vector<Seen> expected;
    std::ranges::copy_if(reference, std::back_inserter(expected),
                         [&](const Seen& run) { return run.depth <= bound; });
    const auto within = Explore<DepthFirst>(target, options, reference.size(), nothing);
    EXPECT_EQ(Sorted(within.runs), expected) << "depth " << bound;
    EXPECT_EQ(within.complete, expected.size() == reference.size()) << "depth " << bound;
    EXPECT_EQ(within.completed_bound, bound);

    options.bound.iterate = true;
    const auto step_of = [&](const Seen& run) {
      return std::max(1u, (run.depth + bound - 1) / bound);
    };
    const auto in_its_step = [&](const ContextBounded& explorer,
                                 const trace::Execution& execution) {
      const int64_t depth = int64_t{step_of(Describe(target, execution))} * bound;
      EXPECT_EQ(explorer.CurrentBound(), depth);
      EXPECT_EQ(explorer.CompletedBound(), depth == bound ? -1 : depth - bound);
    };
    const auto all = Explore<ContextBounded>(target, options, reference.size(), in_its_step);
    ASSERT_EQ(Sorted(all.runs), reference) << "steps of " << bound;
    EXPECT_TRUE(all.complete);
    EXPECT_TRUE(std::ranges::is_sorted(all.runs, {}, step_of));
    EXPECT_GE(all.completed_bound, step_of(all.runs.back()) * bound);
  }
}

// PLDI'07, Theorem 1: at most C(nk, c) (nb + c)! executions with c preemptions, for n threads of at
// most k steps of which b may block. Waiting for a condition is two steps; the end of a thread
// counts as one that blocks, and so does an end of the program, which yields. The theorem is about
// threads as the only source of choice, so other choices multiply the bound.
void CheckTheorem1(const target::FakeProgram& program, const std::vector<Seen>& reference) {
  using Code = target::Instruction::Code;
  double k = 0;
  double b = 0;
  double factor = 1;
  for (const auto& thread : program.threads) {
    double steps = 0;
    double blocking = 1;
    for (const target::Instruction& i : thread) {
      if (i.code == Code::kAssertEqual || i.code == Code::kAssertNot || i.code == Code::kAssume) {
        ++steps;
        ++blocking;
      }
      if (i.code >= Code::kSet) continue;
      steps += i.code == Code::kCondWait ? 2 : 1;
      const bool blocks = i.code == Code::kLock || i.code == Code::kSemWait ||
                          i.code == Code::kYield || i.code == Code::kCondWait;
      blocking += (i.code == Code::kCondWait ? 2 : 1) * (blocks ? 1 : 0);
      if (i.code == Code::kChoose) factor *= i.value;
      if (i.code == Code::kCondSignal) factor *= static_cast<double>(program.threads.size());
    }
    k = std::max(k, steps);
    b = std::max(b, blocking);
  }
  std::map<uint32_t, double> executions;
  for (const Seen& run : reference) ++executions[run.preemptions];
  const double n = static_cast<double>(program.threads.size());
  for (const auto& [c, count] : executions) {
    double bound = factor;
    for (uint32_t i = 0; i < c; ++i) bound *= (n * k - i) / (i + 1);
    for (double i = 2; i <= n * b + c; ++i) bound *= i;
    EXPECT_LE(count, bound) << c << " preemptions";
  }
}

void CheckCoverage(FakeTarget& target, const std::vector<Seen>& reference) {
  const std::vector<uint64_t> expected = ByPreemptions(reference);
  explore::ExecutionBudget budget(UINT64_MAX);
  Coverage::State deep_state;
  Coverage::State wide_state;
  Coverage deep(&deep_state);
  Coverage wide(&wide_state);
  explore::Observer* const deep_only[] = {&deep};
  explore::Observer* const wide_only[] = {&wide};
  DepthFirst::State depth_first;
  ContextBounded::State context_bounded;
  DepthFirst first(&depth_first, {});
  ContextBounded second(&context_bounded, {});
  EXPECT_EQ(RunSearch(first, target, deep_only, budget), explore::SearchEnd::kExhausted);
  EXPECT_EQ(RunSearch(second, target, wide_only, budget), explore::SearchEnd::kExhausted);
  EXPECT_EQ(deep.ByPreemptions(), expected);
  EXPECT_EQ(wide.ByPreemptions(), expected);
}

class SameEnd final : public explore::SameFinding {
 public:
  explicit SameEnd(EndKind kind) : kind_(kind) {}
  bool Holds(const trace::Execution& execution) override { return execution.ending.kind == kind_; }

 private:
  const EndKind kind_;
};

// Minimises the failing execution in `target` and replays the result.
void CheckMinimise(FakeTarget& target, const trace::Execution& failing,
                   const std::vector<Seen>& reference) {
  const EndKind kind = failing.ending.kind;
  const uint32_t switches = failing.switches;
  const uint32_t preemptions = failing.preemptions;
  const uint32_t early_timeouts = failing.early_timeouts;
  // If it shows without an early timeout at all, then so, and with the fewest preemptions.
  uint32_t least = UINT32_MAX;
  for (const Seen& run : reference) {
    if (run.end == kind && run.early_timeouts == 0) least = std::min(least, run.preemptions);
  }
  SameEnd finding(kind);
  explore::Minimise::State state;
  explore::Minimise::Start(&state, failing, 0, 20000);
  while (const auto plan = explore::Minimise(&state, finding).NextPlan()) {
    explore::Minimise(&state, finding).Learn(target.Run(*plan));
  }
  const auto schedule = explore::Minimise(&state, finding).Schedule();
  EXPECT_TRUE(explore::Minimise(&state, finding).HasFewest());  // the budget is large
  const auto deviations = EveryChoice(schedule);
  const trace::Execution& replayed = target.Run({.deviations = deviations});
  EXPECT_EQ(replayed.ending.kind, kind);
  if (least != UINT32_MAX) {
    EXPECT_EQ(replayed.early_timeouts, 0u);
    EXPECT_EQ(replayed.preemptions, least);
  } else {
    EXPECT_LE(std::pair(replayed.early_timeouts, replayed.preemptions),
              std::pair(early_timeouts, preemptions));
  }
  EXPECT_EQ(replayed.choices.size(), schedule.size());
  const bool was_minimal = early_timeouts == 0 && preemptions == least;
  EXPECT_LE(replayed.switches, was_minimal ? switches : UINT32_MAX);
}

template <typename Walk>
void CheckWalk(FakeTarget& target, uint64_t seed, const std::vector<Seen>& reference) {
  Options options;
  options.seed = seed;
  typename Walk::State state;
  bool minimised = false;
  for (int i = 0; i < 30; ++i) {
    Walk explorer(&state, options);
    const std::optional<plan::Plan> plan = explorer.NextPlan();
    if (!plan) break;  // there is one schedule only
    const trace::Execution& execution = target.Run(*plan);
    explorer.Learn(execution);
    EXPECT_TRUE(std::ranges::binary_search(reference, Describe(target, execution)));
    if (minimised || !IsBug(execution.ending.kind)) continue;
    minimised = true;
    CheckMinimise(target, execution, reference);
  }
}

TEST(ExplorersAgree, OnRandomPrograms) {
  const uint64_t programs = FromEnvironment("HEDDLE_AGREE_PROGRAMS", 100);
  const uint64_t first = FromEnvironment("HEDDLE_AGREE_SEED", 1);
  std::map<EndKind, uint64_t> ends;
  uint64_t too_large = 0;
  uint64_t schedules = 0;
  for (uint64_t seed = first; seed < first + programs; ++seed) {
    const target::FakeProgram program = Generator(seed).Program();
    FakeTarget target(program);
    const std::vector<Seen> reference = Sorted(Enumerate(target, kMostSchedules));
    if (reference.size() > kMostSchedules) {
      ++too_large;
      continue;
    }
    SCOPED_TRACE("HEDDLE_AGREE_SEED=" + std::to_string(seed) + " HEDDLE_AGREE_PROGRAMS=1\n" +
                 Print(program));
    CheckReference(reference);
    CheckDepthFirst(target, reference);
    CheckContextBounded(target, reference);
    CheckDelays(target, reference);
    CheckBestFirst(target, seed, reference);
    CheckDepth(target, reference);
    CheckTheorem1(program, reference);
    CheckCoverage(target, reference);
    CheckWalk<explore::RandomWalk>(target, seed, reference);
    CheckWalk<explore::Pct>(target, seed, reference);
    CheckWalk<explore::Pos>(target, seed, reference);
    CheckWalk<explore::Surw>(target, seed, reference);
    CheckWalk<explore::Rff>(target, seed, reference);
    if (HasFailure()) return;
    schedules += reference.size();
    for (const Seen& run : reference) ++ends[run.end];
  }
  std::printf("%llu programs (%llu too large), %llu schedules: %llu deadlocks, %llu assertions\n",
              static_cast<unsigned long long>(programs), static_cast<unsigned long long>(too_large),
              static_cast<unsigned long long>(schedules),
              static_cast<unsigned long long>(ends[EndKind::kDeadlock]),
              static_cast<unsigned long long>(ends[EndKind::kAssertion]));
  if (programs < 500) return;
  // The generator reaches what is to be compared.
  EXPECT_LT(too_large, programs / 4);
  EXPECT_GT(ends[EndKind::kExit], 0u);
  EXPECT_GT(ends[EndKind::kDeadlock], 0u);
  EXPECT_GT(ends[EndKind::kAssertion], 0u);
  EXPECT_GT(ends[EndKind::kRedundant], 0u);
}

}  // namespace
}  // namespace heddle::agree
