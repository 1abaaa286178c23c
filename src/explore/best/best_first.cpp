#include "explore/best/best_first.h"

#include <algorithm>
#include <ranges>

#include "base/hash.h"
#include "explore/own_options.h"

namespace heddle::explore {

namespace {

// Of the operation that `thread` stands before at the choice point: that of its next step, which
// stays the same until it is made, or the one that it stood before at the end.
Focus NextFocus(const trace::Execution& execution, uint32_t choice, op::ThreadId thread) {
  const auto from = std::ranges::lower_bound(execution.steps, choice, {},
                                             [](const trace::Step& step) { return step.choice; });
  const auto next = std::find_if(from, execution.steps.end(),
                                 [&](const trace::Step& step) { return step.thread == thread; });
  return FocusOf(next != execution.steps.end() ? next->focus : execution.pending[thread].focus);
}

}  // namespace

using trace::Choice;
using trace::ChoiceKind;

// Fig. 4, lines 4-15: the loop itself is explore/main_loop.cpp.
std::optional<plan::Plan> BestFirst::NextPlan() {
  if (!s_.started) return Begin();                // 2-3
  const auto entry = state_->fringe.Pop(spill_);  // 14
  if (!entry) {
    s_.exhausted = true;
    return std::nullopt;
  }
  return Run({entry->execution, entry->choice, entry->option, true});  // 11-13: lets the parent go
}

void BestFirst::Learn(const trace::Execution& execution) {
  backtracking_.Take(execution, ranking_.WantsAsked(), ranking_.WantsAsleep(), options_.stop_token);
  FindBacktrackingPoints(execution);  // 7
}

// The step of the node is the choice point at which it deviates from its parent; what is open
// before that is the parent's.
void BestFirst::FindBacktrackingPoints(const trace::Execution& execution) {
  const auto count = static_cast<uint32_t>(execution.choices.size());
  const uint32_t first = FirstOwnOf(InFlight());
  if (first >= count) return;  // it ended before, having diverged
  uint32_t cost = CostOf(execution, first, options_.bound.unit);
  for (uint32_t i = first; i < count && !options_.stop_token.IsRequested(); ++i) {  // 18
    const Choice& choice = execution.choices[i];
    if (choice.kind == ChoiceKind::kThread) {
      cost += CostOf(execution, choice, options_.bound.unit);
      AddBacktrackingPoints(execution, i, cost);
    } else if (i != DeviationOf(InFlight())) {
      for (uint32_t option = choice.option_count; option-- > 1;) {
        AddBacktrackingPoint(i, option, {.cost = cost});
      }
    }
  }
}

// Lines 20-24, for the choice point `index`, up to and with which the execution costs `cost`. The
// last option first, as the one that was added last comes first among equals.
void BestFirst::AddBacktrackingPoints(const trace::Execution& execution, uint32_t index,
                                      uint32_t cost) {
  const Choice& choice = execution.choices[index];
  const OwnOptions own(execution, choice, options_.bound.unit);
  const uint32_t cost_of_other = CostOfOther(cost, options_.bound.unit);
  const bool costly = cost_of_other <= options_.bound.most;  // 21
  if (!costly && !own.Costly().Empty()) s_.cut = true;
  Focus preempted;
  if (ranking_.WantsFocus()) preempted = NextFocus(execution, index, choice.chosen);
  const auto add = [&](op::ThreadId thread, uint32_t its_cost) {
    BacktrackingPoint facts = {.cost = its_cost};
    if (ranking_.WantsAsked()) facts.asked = backtracking_.AskedAt(choice, thread);
    if (ranking_.WantsAsleep()) facts.asleep = backtracking_.AsleepAt(choice, thread);
    if (ranking_.WantsFocus()) {
      facts.preempted = preempted;
      facts.preempting = NextFocus(execution, index, thread);
    }
    AddBacktrackingPoint(index, thread, facts);
  };
  others_.clear();
  (own.Free() | own.Costly()).ForEach([&](op::ThreadId thread) { others_.push_back(thread); });
  for (auto other = others_.rbegin(); other != others_.rend(); ++other) {
    const bool costs = own.Costly().Has(*other);
    if (!costs || costly) add(*other, costs ? cost_of_other : cost);
  }
}

void BestFirst::AddBacktrackingPoint(uint32_t choice, uint32_t option, BacktrackingPoint facts) {
  facts.name = base::Fold(base::Fold(InFlight(), choice + 1), option + 1);
  state_->fringe.Push(ranking_.Of(facts), {InFlight(), choice, option}, options_.memory_limit,
                      spill_);
  Hold(InFlight());
  state_->peak = std::max(state_->peak, Nodes());
}

std::optional<Branch> BestFirst::Split() {
  const auto entry = state_->fringe.PopWorst(spill_);
  if (!entry) return std::nullopt;
  return PartWith({entry->execution, entry->choice, entry->option, true});
}

int64_t BestFirst::CompletedBound() const {
  const bool all = s_.exhausted && !s_.tree.Lost() && !state_->fringe.Lost();
  return all ? CurrentBound() : -1;
}

std::optional<claim::Incomplete> BestFirst::Gap() const {
  if (state_->fringe.Lost()) return claim::Incomplete::kUnreadable;
  return Enumeration::Gap();
}

}  // namespace heddle::explore
