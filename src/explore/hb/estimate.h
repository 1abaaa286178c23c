// How many executions a search takes, from a few random ones.
//
// Source: Knuth, "Estimating the efficiency of backtrack programs", Math. Comp. 29 (1975). A walk
// from the root of a tree that chooses at random at each node arrives at leaf x with probability
// p(x), the product of those of its choices. The mean of 1 / p(x) over all walks is the number of
// leaves: it has no bias, however few walks there are. The tree is that of plain enumeration, whose
// leaves are the schedules; below a bound, of the options that keep within it (there is always one,
// the default, so no walk ends in the middle).
//
//   * 1 / p(x) counts schedules: what a search without a reduction runs.
//   * A reduction runs one schedule of each happens-before graph. A walk arrives at graph g with
//   the
//     probability P(g) of all its schedules together, so the mean of 1 / P(g) is the number of
//     graphs. P(g) is computed over the prefixes of the graph (prefixes.h), which takes time where
//     these are many.
//
// The tree that a reduction walks is not probed: it becomes known only as races are found deeper
// down, so what is known of it at any moment is too small. docs/algorithms/estimating.md has the
// argument, its limits, and how good the estimates are.
//
// Tested by tests/unit/explore_estimate_test.cpp.
#pragma once

#include <cstdint>

#include "explore/stop_token.h"
#include "plan/plan.h"
#include "trace/execution.h"

namespace heddle::explore {

// A random execution that costs at most `bound` preemptions and early timeouts.
plan::Plan ProbePlan(uint64_t seed, uint32_t bound);

// 1 / p of an execution that followed such a plan.
double InverseProbability(const trace::Execution& execution, uint32_t bound);

// The sum of p over all schedules that have the happens-before graph of `execution`.
struct GraphProbability {
  double value = 0;       // 0: it is not known, because
  bool too_many = false;  // ... more numbers would have to be computed than may be. Else: atomic
                          // sections, waits for something outside, more threads than Prefixes has
  uint64_t numbers = 0;   // that were computed: what it cost
};
GraphProbability ProbabilityOfGraph(const trace::Execution& execution, uint32_t bound,
                                    uint64_t most_numbers, StopToken stop_token = {});

// Of some numbers, one after the other.
class Moments {
 public:
  void Add(double value);
  uint64_t Count() const { return count_; }
  double Mean() const { return mean_; }
  double Variance() const;  // 0 with less than two values

 private:
  uint64_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;  // sum of squared distances from the mean
};

// The mean of probes, and how far it may be off.
class Mean {
 public:
  struct Range {
    double low, high;
  };

  void Add(double value);
  uint64_t Count() const { return values_.Count(); }
  double Value() const { return values_.Mean(); }
  // Of the mean; 0 with less than two values.
  double StandardError() const;
  // Holds the true mean 19 times in 20, so that two of them exclude each other next to never.
  Range Likely() const;

 private:
  Moments values_;
  Moments logarithms_;  // of those that are not 0
};

}  // namespace heddle::explore
