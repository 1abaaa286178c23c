// What an option of a choice costs: a function of what an execution recorded.
//
// A preemption is a switch away from a thread whose operation is enabled (PLDI'07, appendix A.1,
// NP). At a yield no thread is left, so passing the turn on is free, and going on is for a few
// times (plan::kFreeStays); but leaving for another thread than the next in turn costs. A time
// limit that passes although some thread could run counts under its own name.
#pragma once

#include <cstdint>

#include "trace/execution.h"

namespace heddle::trace {

// Word `w` of the set of options that cost one preemption or early timeout.
// REQUIRES: `choice` is one of threads.
inline uint64_t CostlyWord(const Execution& execution, const Choice& choice, uint32_t w) {
  if (!choice.running_open) {
    return choice.early_timeouts ? execution.EarlyTimeouts(choice)[w] : 0;
  }
  const auto bit = [w](uint32_t thread) {
    return thread / 64 == w ? uint64_t{1} << (thread % 64) : 0;
  };
  const uint64_t free = bit(choice.fallback) | (choice.stays_free ? bit(choice.running) : 0);
  return execution.Open(choice)[w] & ~free;
}

enum class Price { kNothing = 0, kPreemption = 1, kEarlyTimeout };

// Of taking `option`, one of those open at `choice`. Without branches on what a random walk
// decides: no processor foresees these.
inline Price PriceOf(const Execution& execution, const Choice& choice, uint32_t option) {
  if (choice.early_timeouts && Has(execution.EarlyTimeouts(choice), option)) {
    return Price::kEarlyTimeout;
  }
  const bool is_free =
      (option == choice.fallback) | (choice.stays_free & (option == choice.running));
  const bool preempts = (choice.kind == ChoiceKind::kThread) & choice.running_open & !is_free;
  return static_cast<Price>(preempts);
}

inline bool Costs(const Execution& execution, const Choice& choice, uint32_t option) {
  return PriceOf(execution, choice, option) != Price::kNothing;
}

struct Cost {
  uint32_t preemptions = 0;
  uint32_t early_timeouts = 0;
};

// Of the first `choices` choices as they were taken.
inline Cost CostOf(const Execution& execution, size_t choices) {
  Cost cost;
  for (const Choice& choice : execution.choices.first(choices)) {
    const Price price = PriceOf(execution, choice, choice.chosen);
    cost.preemptions += price == Price::kPreemption;
    cost.early_timeouts += price == Price::kEarlyTimeout;
  }
  return cost;
}

}  // namespace heddle::trace
