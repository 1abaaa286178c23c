#include "search/probing.h"

#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "explore/order/ends.h"
#include "runtime/control.h"
#include "runtime/rewind_mode.h"
#include "search/stop_token.h"

namespace heddle::search {
namespace {

using channel::Settings;

constexpr uint64_t kSecond = 1'000'000'000;
// Work, in nanoseconds of a common machine. Of an execution: to begin and to end it, and what the
// program computes in between.
constexpr uint64_t kWorkOfExecution = 50'000;
constexpr uint64_t kWorkOfForkedExecution = 1'000'000;
constexpr uint64_t kWorkOfEvent = 400;
constexpr uint64_t kWorkOfNumber = 100;
constexpr uint64_t kBegin = 2 * kSecond;
constexpr uint64_t kShare = 33;               // of the work: one part in so many
constexpr uint64_t kMostNumbers = 1'000'000;  // of a probe: some seconds, and some 50 MB
constexpr uint64_t kLeastProbes = 8;          // before they are believed
// Without a time limit: what somebody may want to wait for.
constexpr uint64_t kPatienceS = 600;

const Settings& SearchSettings() { return runtime::ChannelHeader().settings; }

uint64_t WorkOf(uint64_t executions, uint64_t events) {
  const uint64_t of_one = runtime::RewindsByFork() ? kWorkOfForkedExecution : kWorkOfExecution;
  return executions * of_one + events * kWorkOfEvent;
}

bool IsWeak(const Settings& settings) { return settings.memory_model != space::MemoryModel::kSc; }

bool Reduces(const Settings& settings) { return settings.reduction != space::Reduction::kNone; }

// Are the executions of the search leaves of a tree that can be probed?
bool CanBeProbed(const Settings& settings) {
  if (settings.bound.unit != space::Unit::kPreemptions && !settings.bound.IsNone()) return false;
  // Random schedules tell of happens-before graphs; how many of those are one execution graph they
  // do not say.
  if (settings.reduction == space::Reduction::kReadsFrom || (Reduces(settings) && IsWeak(settings)))
    return false;
  return !space::Samples({settings.order, settings.reduction});
}

uint32_t BoundOf(const Settings& settings) {
  return settings.bound.unit == space::Unit::kPreemptions ? settings.bound.Last()
                                                          : space::kUnbounded;
}

// Nothing, if there were more already.
void Store(const explore::Mean& mean, double least, channel::Estimate& to) {
  const double value = mean.Value() > least ? mean.Value() : 0;
  to.executions.store(value, std::memory_order_relaxed);
  if (value == 0) return;
  const explore::Mean::Range range = mean.Likely();
  to.low.store(std::max(range.low, least), std::memory_order_relaxed);
  to.high.store(range.high, std::memory_order_relaxed);
}

}  // namespace

Probing::Probing(State* state, FindingObserver& findings) : state_(state), findings_(findings) {}

bool Probing::AreDue(const FindingObserver::State& searched) const {
  const uint64_t runs = searched.executions + searched.redundant + searched.assumed_away;
  // Nothing is told without an estimate of the whole; and nothing is spent where no probe is run.
  if (state_->whole.is_unknown) return false;
  return WorkOf(runs, searched.events) >= std::max(kBegin, state_->spent * kShare) &&
         SearchSettings().visited == space::Visited::kNone && CanBeProbed(SearchSettings());
}

// The weight of a random execution; nothing if it is not known, or the execution was none.
std::optional<double> Probing::RunOne(target::Target& target, uint32_t bound) {
  const uint64_t seed = base::Mix(SearchSettings().seed) + ++state_->probes;
  state_->in_flight = true;
  const trace::Execution& execution = target.Run(explore::ProbePlan(seed, bound));
  state_->in_flight = false;
  state_->spent += WorkOf(1, execution.events.size());
  findings_.NoteProbe(execution);
  if (trace::ClassOf(execution.ending.kind) == trace::EndClass::kInternal) return std::nullopt;
  if (!explore::Counts(execution.ending)) return 0;
  if (!Reduces(SearchSettings())) return explore::InverseProbability(execution, bound);
  const explore::StopToken stop_token = StopTokenOfSearch();
  const explore::GraphProbability graph =
      explore::ProbabilityOfGraph(execution, bound, state_->most_numbers, stop_token);
  state_->spent += graph.numbers * kWorkOfNumber;
  if (graph.too_many && state_->most_numbers < kMostNumbers) BeginAgain();
  if (graph.value == 0) return std::nullopt;
  return 1 / graph.value;
}

// With more time for each probe: the mean of those that could be done in less would be that of a
// part.
void Probing::BeginAgain() {
  state_->most_numbers = std::min(state_->most_numbers * 5, kMostNumbers);
  state_->whole = {};
  for (State::Tree& tree : state_->bounded) tree = {};
}

void Probing::Add(target::Target& target, State::Tree& tree, uint32_t bound) {
  if (tree.is_unknown || findings_.HasNews()) return;
  const uint64_t most_numbers = state_->most_numbers;
  const std::optional<double> weight = RunOne(target, bound);
  if (state_->most_numbers != most_numbers) return;
  if (weight && std::isfinite(*weight))
    tree.mean.Add(*weight);
  else
    tree.is_unknown = true;
}

void Probing::Run(target::Target& target, uint64_t searched_ns, uint64_t executions) {
  const uint32_t most = BoundOf(SearchSettings());
  Add(target, state_->whole, most);
  for (uint32_t bound = 0; bound < kBounds && bound < most; ++bound)
    Add(target, state_->bounded[bound], bound);
  Publish(searched_ns, executions);
}

void Probing::Publish(uint64_t searched_ns, uint64_t executions) const {
  channel::Progress& progress = runtime::ChannelHeader().progress;
  const State::Tree& whole = state_->whole;
  if (whole.is_unknown || whole.mean.Count() < kLeastProbes) return;
  const auto done = static_cast<double>(executions);
  Store(whole.mean, done, progress.estimate);
  const uint64_t limit_ms = SearchSettings().time_limit_ms;
  const double seconds = limit_ms != 0 ? static_cast<double>(limit_ms) / 1000 : kPatienceS;
  const double affordable = done / (static_cast<double>(searched_ns) / kSecond) * seconds;
  int64_t advised = -1;
  for (uint32_t bound = 0; bound < kBounds; ++bound) {
    const State::Tree& tree = state_->bounded[bound];
    if (tree.is_unknown || tree.mean.Count() < kLeastProbes) break;
    if (tree.mean.Value() + tree.mean.StandardError() > affordable) break;
    advised = bound;
  }
  // Under tso and c11 there are no bounds.
  if (IsWeak(SearchSettings()) || whole.mean.Value() <= affordable) advised = -1;
  if (advised >= 0) Store(state_->bounded[advised].mean, 0, progress.advised);
  progress.advised_bound.store(advised, std::memory_order_relaxed);
}

}  // namespace heddle::search
