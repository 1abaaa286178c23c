#include "explore/por/bounded_dpor.h"

#include <algorithm>

#include "explore/order/ends.h"
#include "trace/cost.h"

namespace heddle::explore {

using op::ThreadId;

// ---- the search with one bound ----

Reduction::Answer BoundedDpor::Pass::Consider(const Reversal& reversal) {
  if (AddOption(reversal)) return Answer::kSettled;
  const StepIndex j = reversal.j;
  const ThreadId p = reversal.last.thread;
  AddOrAll(j, p, reversal.tentative);  // B1
  StepIndex begin = b_.blocks[j];
  if (begin != j) AddOrAll(begin, p, reversal.tentative);  // B2
  while (begin > 1 && IsPassedOver(begin, p)) {            // B5
    begin = b_.blocks[begin - 1];
    AddAll(begin);
  }
  return Answer::kSettled;
}

void BoundedDpor::Pass::AddOrAll(StepIndex node, ThreadId thread, bool tentative) {
  if (IsClosed(node)) return;
  if (!OpenAt(node).Has(thread)) {
    AddAll(node);  // B3
    return;
  }
  Add(node, thread, tentative);
  if (!Costs(node, thread)) return;
  for (ThreadId other = 0; other < s_.graph.Threads(); ++other) {  // B4
    if (OpenAt(node).Has(other) && !Costs(node, other)) Add(node, other);
  }
}

void BoundedDpor::Pass::AddAll(StepIndex node) {
  if (IsClosed(node)) return;
  for (ThreadId thread = 0; thread < s_.graph.Threads(); ++thread) {
    if (OpenAt(node).Has(thread)) Add(node, thread);
  }
}

// The thread that ran before had yielded, and it was not the turn of p.
bool BoundedDpor::Pass::IsPassedOver(StepIndex begin, ThreadId p) const {
  return Costs(begin, p) && !Costs(begin, s_.graph.At(begin).thread);
}

void BoundedDpor::Pass::Meet(const trace::Execution& execution, StepIndex node) {
  const auto price = [&](StepIndex i) {
    const trace::Choice* choice = execution.ThreadChoiceOf(i);
    return choice != nullptr && trace::Costs(execution, *choice, choice->chosen) ? 1u : 0u;
  };
  b_.costs.resize(node);
  b_.costs.push_back(node == 0 ? 0 : b_.costs[node - 1] + price(node - 1));
  const bool goes_on = node > 1 && s_.graph.At(node - 1).thread == s_.graph.At(node).thread;
  b_.blocks.resize(node);
  b_.blocks.push_back(goes_on ? b_.blocks[node - 1] : node);
  const Node& here = s_.nodes[node];
  b_.costly.resize(here.open);
  if (const trace::Choice* choice = execution.ThreadChoiceOf(node)) {
    const trace::CostlyOptions costly(execution, *choice);
    for (uint32_t w = 0; w < here.open_words; ++w) b_.costly.push_back(costly.Word(w));
  }
}

bool BoundedDpor::Pass::Costs(StepIndex node, ThreadId thread) const {
  const Node& here = s_.nodes[node];
  return op::ThreadSet(b_.costly.data() + here.open, here.open_words).Has(thread);
}

bool BoundedDpor::Pass::IsWithin(StepIndex node, ThreadId thread) {
  if (b_.costs[node] + (Costs(node, thread) ? 1 : 0) <= b_.bound) return true;
  b_.cut = true;
  return false;
}

// ---- bound after bound ----

namespace {

// Is there something in the execution for which the argument for B1 .. B5 does not hold?
bool IsBeyondReduction(const trace::Execution& execution, bool sections) {
  const auto ends = [](const trace::Pending& p) { return p.kind == op::Kind::kProgramExit; };
  const auto waits = [](const trace::Pending& p) {
    return op::MayWait(p.kind) && (p.detail & op::kTimed) != 0;
  };
  const auto timed = [](const trace::Event& event) {
    return op::MayWait(event.kind) && (event.detail & op::kTimed) != 0;
  };
  // A loop that looks in vain gives its turn away for nothing, but a vain round is no step: of two
  // schedules with the same graph only the one with the round may be within the bound.
  const auto loops = [](const auto& step) { return step.await != 0; };
  const auto vain = [](const trace::Step& step) { return step.vain != 0; };
  return sections || !execution.reducible || std::ranges::any_of(execution.steps, vain) ||
         std::ranges::any_of(execution.steps, loops) ||
         std::ranges::any_of(execution.pending, loops) || EnderOf(execution) != op::kNoThread ||
         std::ranges::any_of(execution.pending, ends) ||
         std::ranges::any_of(execution.pending, waits) ||
         std::ranges::any_of(execution.events, timed) ||
         std::ranges::any_of(execution.choices,
                             [](const trace::Choice& c) { return c.early_timeouts; }) ||
         std::ranges::any_of(execution.steps, [](const trace::Step& s) { return s.time_passes; });
}

}  // namespace

BoundedDpor::BoundedDpor(State* state, const Options& options, Spill* spill)
    : s_(*state), options_(options), spill_(spill) {
  if (!s_.begun && !options_.iterates) s_.bound = options_.bound.most;
  s_.begun = true;
  pass_.emplace(&s_, options_.stop_token, spill_);
  if (s_.without) GoOnWithout();
}

void BoundedDpor::GoOnWithout() {
  if (options_.iterates) {
    plain_ = std::make_unique<ContextBounded>(&s_.in_turn, options_, spill_);
  } else {
    plain_ = std::make_unique<DepthFirst>(&s_.at_once, options_, spill_);
  }
}

std::optional<plan::Plan> BoundedDpor::NextPlan() {
  if (plain_ != nullptr) return plain_->NextPlan();
  if (s_.beyond || s_.empty) return std::nullopt;
  for (;;) {
    if (auto plan = pass_->NextPlan()) return plan;
    s_.exhausted = pass_->Complete();
    if (!AwaitsBound() || options_.gate.IsClosed() || !s_.has_root) break;
    RaiseBound();
  }
  return std::nullopt;
}

void BoundedDpor::StartAfresh() {
  s_.search = {};
  pass_.emplace(&s_, options_.stop_token, spill_);
  s_.exhausted = false;
}

bool BoundedDpor::AwaitsBound() const {
  if (plain_ != nullptr) return plain_->AwaitsBound();
  return options_.iterates && s_.cut && s_.bound < options_.bound.most && s_.exhausted;
}

bool BoundedDpor::RaiseBound() {
  if (plain_ != nullptr) return plain_->RaiseBound();
  ++s_.bound;
  s_.cut = false;
  StartAfresh();
  s_.empty = !s_.has_root;
  s_.exhausted = s_.empty;
  return s_.has_root;
}

// ---- with others ----

std::optional<Branch> BoundedDpor::Split() {
  std::optional<Branch> branch;
  if (plain_ != nullptr) {
    branch = plain_->Split();
  } else if (!s_.empty && !s_.beyond) {
    branch = pass_->Split();
    if (branch) branch->cost = s_.bound;
  }
  s_.parted |= branch.has_value();
  return branch;
}

bool BoundedDpor::Take(const Branch& branch) {
  s_.parted = true;
  if (!s_.search.started && !s_.without) s_.has_root = false;
  if (!branch.deviations.empty()) {
    if (!s_.without) GoOnWithout();
    s_.without = true;
    return plain_->Take(branch);
  }
  if (s_.without) return false;
  StartAfresh();
  s_.empty = false;
  s_.bound = branch.cost;
  return pass_->Take(branch);
}

void BoundedDpor::RestartWithoutSplitting() {
  s_.without = true;
  GoOnWithout();
}

// What costs less than the bound was explored with the bound before.
void BoundedDpor::Learn(const trace::Execution& execution) {
  if (plain_ != nullptr) {
    if (Counts(execution.ending)) ++s_.run_without;
    plain_->Learn(execution);
    return;
  }
  if (Counts(execution.ending)) {
    ++s_.counted;
    if (options_.iterates && execution.Cost() < s_.bound) ++s_.ran_again;
  }
  pass_->Learn(execution);
  if (!IsBeyondReduction(execution, s_.search.met_section)) return;
  if (s_.parted) {
    s_.beyond = true;
    return;
  }
  s_.through = CompletedBound();
  s_.without = true;
  s_.thrown_away = s_.counted - s_.ran_again;
  StartAfresh();
  GoOnWithout();
}

int64_t BoundedDpor::CurrentBound() const {
  if (plain_ != nullptr) return plain_->CurrentBound();
  return s_.bound == kUnbounded ? -1 : int64_t{s_.bound};
}

int64_t BoundedDpor::CompletedBound() const {
  if (plain_ != nullptr) return std::max(s_.through, plain_->CompletedBound());
  if (s_.bound == kUnbounded) return -1;
  if (s_.exhausted) return s_.bound;
  return options_.iterates ? int64_t{s_.bound} - 1 : -1;
}

bool BoundedDpor::Complete() const {
  if (plain_ != nullptr) return plain_->Complete();
  return s_.exhausted && !s_.cut && !s_.beyond;
}

}  // namespace heddle::explore
