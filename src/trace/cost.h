// What an option of a choice costs: a function of what an execution recorded.
//
// A preemption is a switch away from a thread whose operation is enabled (PLDI'07, appendix A.1,
// NP). At a yield no thread is left, so passing the turn on is free, and going on is for a few
// times (plan::kFreeStays); but leaving for another thread than the next in turn costs. A thread
// that waits in a loop is as one that is not enabled. A time limit that passes although some thread
// could run counts under its own name.
//
// Delays are another measure (Emmi, Qadeer, Rakamaric, "Delay-bounded scheduling", POPL'11): of a
// scheduler that takes the default, or else the other open threads in turn, by their numbers and
// cyclically, how many it is made to pass over.
#pragma once

#include <cstdint>

#include "trace/execution.h"

namespace heddle::trace {

// The options of a choice of threads that cost one preemption or early timeout. REQUIRES: `choice`
// is one of threads, and lives longer than this.
class CostlyOptions : public op::ThreadSetQueries<CostlyOptions> {
 public:
  CostlyOptions(const Execution& execution, const Choice& choice)
      : choice_(choice),
        options_(choice.running_open ? execution.Open(choice) : execution.EarlyTimeouts(choice)) {}

  uint32_t Width() const { return choice_.set_words; }
  uint64_t Word(uint32_t w) const {
    if (!choice_.running_open) return options_.WordOrNone(w);
    if (choice_.running_waits) return 0;
    const op::OnlyThread fallback(choice_.fallback);
    const op::OnlyThread running(choice_.running);
    const uint64_t free = fallback.WordOrNone(w) | (choice_.stays_free ? running.WordOrNone(w) : 0);
    return options_.Word(w) & ~free;
  }

 private:
  const Choice& choice_;
  op::ThreadSet options_;
};

enum class Price { kNothing = 0, kPreemption = 1, kEarlyTimeout };

// Of taking `option`, one of those open at `choice`; `early`: it is one of its early timeouts.
// Without branches on what a random walk decides: no processor foresees these.
inline Price PriceOf(const Choice& choice, uint32_t option, bool early) {
  if (early) return Price::kEarlyTimeout;
  const bool is_free = (option == choice.fallback) | choice.running_waits |
                       (choice.stays_free & (option == choice.running));
  const bool preempts = (choice.kind == ChoiceKind::kThread) & choice.running_open & !is_free;
  return static_cast<Price>(preempts);
}

inline Price PriceOf(const Execution& execution, const Choice& choice, uint32_t option) {
  return PriceOf(choice, option,
                 choice.early_timeouts && execution.EarlyTimeouts(choice).Has(option));
}

inline bool Costs(const Execution& execution, const Choice& choice, uint32_t option) {
  return PriceOf(execution, choice, option) != Price::kNothing;
}

struct Cost {
  uint32_t preemptions = 0;
  uint32_t early_timeouts = 0;

  void Add(Price price) {
    preemptions += price == Price::kPreemption;
    early_timeouts += price == Price::kEarlyTimeout;
  }
  uint32_t Sum() const { return preemptions + early_timeouts; }  // what a bound counts
};

// Of the first `choices` choices as they were taken.
inline Cost CostOf(const Execution& execution, size_t choices) {
  Cost cost;
  for (const Choice& choice : execution.choices.first(choices)) {
    cost.Add(PriceOf(execution, choice, choice.chosen));
  }
  return cost;
}

// Of taking `option`, one of those open at `choice`.
inline uint32_t DelaysOf(const Execution& execution, const Choice& choice, uint32_t option) {
  if (choice.kind != ChoiceKind::kThread) return 0;
  const op::ThreadSet open = execution.Open(choice);
  uint32_t delays = 0;
  for (op::ThreadId thread = choice.fallback; thread != option; thread = open.NextAfter(thread)) {
    ++delays;
  }
  return delays;
}

// The option that is one delay more than the one taken; kNoThread if there is none. REQUIRES:
// `choice` is one of threads.
inline op::ThreadId NextInTurn(const Execution& execution, const Choice& choice) {
  const op::ThreadId next = execution.Open(choice).NextAfter(choice.chosen);
  return next == choice.fallback ? op::kNoThread : next;
}

}  // namespace heddle::trace
