#include "explore/hb/estimate.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <unordered_map>
#include <vector>

#include "explore/explorer.h"
#include "explore/hb/context_bounds.h"
#include "explore/hb/prefixes.h"
#include "explore/order/ends.h"
#include "explore/order/vain.h"
#include "plan/random_tail.h"
#include "trace/cost.h"

namespace heddle::explore {

using op::ThreadId;

plan::Plan ProbePlan(uint64_t seed, uint32_t bound) {
  return {.deviations = {}, .tail = plan::Tail::kRandom, .seed = seed, .most_cost = bound};
}

namespace {

// plan/random_tail.h: how likely it is that one of the options is taken, where so many cost
// something. `left`: what the execution may still cost.
double Chance(bool costs, uint32_t options, uint32_t costly, uint32_t left, uint32_t step) {
  const double one_in = left != 0 && costly != 0 ? plan::CostlyOneIn(step) : 0;
  if (costs) return one_in == 0 ? 0 : 1 / one_in / costly;
  const double any = one_in == 0 ? 1 : 1 - 1 / one_in;
  return any / (options - costly);
}

double OptionsBesidesThreads(const trace::Execution& execution) {
  double product = 1;
  for (const trace::Choice& choice : execution.choices)
    if (choice.kind != trace::ChoiceKind::kThread) product *= choice.option_count;
  return product;
}

}  // namespace

double InverseProbability(const trace::Execution& execution, uint32_t bound) {
  double product = OptionsBesidesThreads(execution);
  uint32_t cost = 0;
  for (uint32_t step = 0; step < execution.steps.size(); ++step) {
    for (const trace::Choice& choice : execution.ChoicesOf(step)) {
      if (choice.kind != trace::ChoiceKind::kThread) continue;
      if (bound == kUnbounded) {
        product *= choice.option_count;
        continue;
      }
      const uint32_t costly = trace::CostlyOptions(execution, choice).Count();
      const bool costs = trace::Costs(execution, choice, choice.chosen);
      product /= Chance(costs, choice.option_count, costly, bound - cost, step);
      cost += costs;
    }
  }
  return product;
}

namespace {

// The probability of all schedules of one execution's graph, by the prefixes of that: a prefix is
// arrived at from those that are one step shorter.
//
// Without a bound a prefix has one number. With one, what a schedule of it has cost, and which
// thread made the last step, decides how likely it is that it goes on so: it has a number for each.
class Counting {
 public:
  Counting(const Prefixes& prefixes, uint32_t bound, uint64_t most, StopToken stop_token)
      : prefixes_(prefixes),
        is_bounded_(bound != kUnbounded),
        costs_(is_bounded_ ? bound + 1 : 1),
        most_(most),
        stop_token_(stop_token) {}

  GraphProbability Run() {
    const Prefix whole = prefixes_.Whole();
    if (!Visit(whole)) return {.too_many = too_many_, .numbers = numbers_.size()};
    double sum = 0;
    for (const double one : NumbersOf(whole)) sum += one;
    return {.value = sum, .numbers = numbers_.size()};
  }

 private:
  // Of one prefix: where its numbers begin, by the thread that made the last step, and for each by
  // cost.
  struct Arrivals {
    ThreadBits threads;
    uint32_t begin;
  };
  struct Frame {
    ThreadBits left;
    ThreadId by;  // whose last step was taken off to get here
  };

  std::span<const double> NumbersOf(const Prefix& prefix) const {
    const Arrivals& arrivals = known_.find(prefix.hash)->second;
    const auto rows = static_cast<size_t>(is_bounded_ ? std::popcount(arrivals.threads) : 1);
    return {numbers_.data() + arrivals.begin, rows * costs_};
  }

  // Depth first through the predecessors, without recursion.
  bool Visit(const Prefix& whole) {
    std::vector<Frame> frames;
    Prefix prefix = whole;
    frames.push_back({prefixes_.Frontier(prefix), op::kNoThread});
    for (;;) {
      too_many_ = numbers_.size() >= most_;
      if (too_many_ || stop_token_.IsRequested()) return false;
      if (frames.back().left != 0) {
        const auto thread = LowestOf(frames.back().left);
        frames.back().left &= frames.back().left - 1;
        prefixes_.RemoveLast(prefix, thread);
        if (prefix.size == 0 || known_.contains(prefix.hash)) {
          prefixes_.PutBack(prefix, thread);
        } else {
          frames.push_back({prefixes_.Frontier(prefix), thread});
        }
        continue;
      }
      if (!Finish(prefix)) return false;
      const ThreadId by = frames.back().by;
      frames.pop_back();
      if (frames.empty()) return true;
      prefixes_.PutBack(prefix, by);
    }
  }

  // All predecessors are known.
  bool Finish(Prefix& prefix) {
    const ThreadBits threads = prefixes_.Frontier(prefix);
    const size_t begin = numbers_.size();
    const size_t step = is_bounded_ ? costs_ : 0;
    const auto rows = static_cast<size_t>(std::popcount(threads));
    numbers_.resize(begin + std::max<size_t>(step * rows, 1));
    size_t row = begin;
    for (ThreadBits left = threads; left != 0; left &= left - 1, row += step) {
      const auto thread = LowestOf(left);
      prefixes_.RemoveLast(prefix, thread);
      const bool is_known = Arrive(prefix, thread, row);
      prefixes_.PutBack(prefix, thread);
      if (!is_known) return false;
    }
    known_.emplace(prefix.hash, Arrivals{threads, static_cast<uint32_t>(begin)});
    return true;
  }

  // Adds what arrives from `before` by a step of the thread to the numbers from `row` on.
  bool Arrive(const Prefix& before, ThreadId thread, size_t row) {
    const Enabled enabled = prefixes_.EnabledAfter(before);
    if (enabled.unknown || enabled.may != enabled.enabled) return false;
    const ThreadBits open = enabled.enabled | enabled.timeouts;
    const auto options = static_cast<uint32_t>(std::popcount(open));
    if ((open & op::BitOf(thread)) == 0) return false;
    if (!is_bounded_) {
      numbers_[row] += (before.size == 0 ? 1 : NumbersOf(before)[0]) / options;
      return true;
    }
    static constexpr double kCertain[] = {1};
    if (before.size == 0) {
      Spread(enabled, open, prefixes_.Starter(), kCertain, 1, thread, row);
      return true;
    }
    const auto from = NumbersOf(before);
    size_t at = 0;
    ThreadBits last = known_.find(before.hash)->second.threads;
    for (; last != 0; last &= last - 1, at += costs_)
      Spread(enabled, open, LowestOf(last), from.subspan(at, costs_), before.size + 1, thread, row);
    return true;
  }

  // The same for those whose last step was made by `last`, with these numbers by cost.
  void Spread(const Enabled& enabled, ThreadBits open, ThreadId last, std::span<const double> from,
              uint32_t step, ThreadId thread, size_t row) {
    const auto options = static_cast<uint32_t>(std::popcount(open));
    uint32_t costly = 0;
    for (ThreadBits left = open; left != 0; left &= left - 1)
      costly += PriceOf(enabled, open, last, LowestOf(left));
    const uint32_t price = PriceOf(enabled, open, last, thread);
    for (uint32_t cost = 0; cost < from.size() && cost + price < costs_; ++cost) {
      numbers_[row + cost + price] +=
          from[cost] * Chance(price != 0, options, costly, costs_ - 1 - cost, step);
    }
  }

  static uint32_t PriceOf(const Enabled& enabled, ThreadBits open, ThreadId last, ThreadId next) {
    if (std::popcount(open) == 1) return 0;  // no choice
    if (last < kMostThreads) return ContextBounds::PriceOf(enabled, last, next);
    return (enabled.timeouts & op::BitOf(next)) != 0 && enabled.enabled != 0 ? 1 : 0;
  }

  const Prefixes& prefixes_;
  const bool is_bounded_;
  const uint32_t costs_;  // 0 .. costs_ - 1 are within the bound
  const uint64_t most_;
  const StopToken stop_token_;
  bool too_many_ = false;
  std::unordered_map<uint64_t, Arrivals> known_;  // by hash of the prefix
  std::vector<double> numbers_;
};

}  // namespace

GraphProbability ProbabilityOfGraph(const trace::Execution& complete, uint32_t bound,
                                    uint64_t most_numbers, StopToken stop_token) {
  WithoutVain without_vain;
  const trace::Execution& execution = without_vain.Of(complete);
  if (execution.threads > kMostThreads) return {};
  const double others = OptionsBesidesThreads(execution);
  if (execution.steps.size() < 2) return {.value = 1 / others};
  Prefixes prefixes;
  prefixes.Extend(execution, without_vain.Looks(), op::kNoThread, stop_token);
  if (stop_token.IsRequested()) return {};
  for (StepIndex i = 0; i < prefixes.Size(); ++i)
    if (prefixes.Graph().IsInside(i)) return {};
  GraphProbability answer = Counting(prefixes, bound, most_numbers, stop_token).Run();
  answer.value /= others;
  return answer;
}

void Moments::Add(double value) {
  ++count_;
  const double distance = value - mean_;
  mean_ += distance / static_cast<double>(count_);
  squares_ += distance * (value - mean_);
}

double Moments::Variance() const {
  return count_ < 2 ? 0 : squares_ / static_cast<double>(count_ - 1);
}

void Mean::Add(double value) {
  values_.Add(value);
  if (value > 0) logarithms_.Add(std::log(value));
}

double Mean::StandardError() const {
  return Count() == 0 ? 0 : std::sqrt(values_.Variance() / static_cast<double>(Count()));
}

// A weight is the product of what the steps of a walk had to choose from, so its logarithm is a
// sum, and roughly normal. The mean of such a distribution comes from its few largest values: as
// long as none was drawn, mean and standard error are both too small, and only the spread of the
// logarithms tells. Of these: Cox's interval (Zhou and Gao, "Confidence intervals for the
// log-normal mean", Statistics in Medicine 16, 1997). With many probes it is the standard error
// that says more, whatever the distribution; so what either has in it.
Mean::Range Mean::Likely() const {
  const double value = Value();
  if (Count() < 2 || value <= 0) return {value, value};
  const double factor = 1 + 2 * StandardError() / value;
  Range range = {value / factor, value * factor};
  if (logarithms_.Count() < 2) return range;
  const auto n = static_cast<double>(logarithms_.Count());
  const double variance = logarithms_.Variance();
  const double share = n / static_cast<double>(Count());
  const double middle = logarithms_.Mean() + variance / 2 + std::log(share);
  const double quantile = 2 + 3 / n;  // of Student's distribution, roughly
  const double half = quantile * std::sqrt(variance / n + variance * variance / (2 * (n - 1)));
  range.low = std::min(range.low, std::exp(middle - half));
  range.high = std::max(range.high, std::exp(middle + half));
  return range;
}

}  // namespace heddle::explore
