#include "explore/compose/minimise.h"

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

#include "explore/hb/linearise.h"
#include "explore/own_options.h"

namespace heddle::explore {

using trace::Choice;
using trace::ChoiceKind;
using trace::Execution;

namespace {

using Kind = Minimise::Step::Kind;

// Looked at for the order with the fewest preemptions: a second or less.
constexpr uint64_t kMostPrefixes = 300000;

// Whether a thread waits where it is left is known of the schedule as it was found, not of a
// proposal.
op::ThreadId ThreadOf(const Minimise::Step& step) { return step.option & ~trace::kLeavesWaiting; }

bool MayBeStale(const Choice& choice) { return CostsStale(choice, space::Unit::kStale); }

uint32_t CountStale(const Execution& execution) {
  return CostOf(execution, execution.choices.size(), space::Unit::kStale);
}

void FindTurns(Minimise::State& s) {
  s.turns.clear();
  for (uint32_t i = 0; i < s.best.size(); ++i) {
    const Minimise::Step& step = s.best[i];
    const bool is_thread = step.kind != Kind::kOther;
    if (!s.turns.empty() && (!is_thread || ThreadOf(step) == s.turns.back().thread)) {
      s.turns.back().end = i + 1;
    } else {
      s.turns.push_back({is_thread ? ThreadOf(step) : op::kNoThread, i, i + 1});
    }
  }
}

// Makes `execution` the best so far.
void Adopt(Minimise::State& s, const Execution& execution) {
  s.best.clear();
  s.deviations.clear();
  uint32_t event = 0;  // the first whose thread has no step yet
  auto add_forced = [&](size_t end) {
    for (; event < end; ++event) s.best.push_back({Kind::kForced, execution.events[event].thread});
  };
  for (uint32_t i = 0; i < execution.choices.size(); ++i) {
    const Choice& c = execution.choices[i];
    if (c.chosen != c.fallback) s.deviations.push_back({i, c.chosen});
    if (c.kind == ChoiceKind::kThread) {
      add_forced(c.event);
      s.best.push_back({Kind::kThread, c.InSchedule(c.chosen)});
      event = c.event + 1;
    } else {
      add_forced(std::min<size_t>(c.event + 1, execution.events.size()));
      s.best.push_back({Kind::kOther, c.chosen});
    }
  }
  add_forced(execution.events.size());
  const bool as_before =
      s.early_timeouts == execution.early_timeouts && s.preemptions == execution.preemptions;
  s.has_fewest = (s.has_fewest && as_before) || execution.Cost() <= s.at_least;
  s.stale = CountStale(execution);
  s.is_weak |= std::ranges::any_of(execution.choices, MayBeStale);
  s.early_timeouts = execution.early_timeouts;
  s.preemptions = execution.preemptions;
  s.switches = execution.switches;
  FindTurns(s);
}

size_t CountDeviations(const Execution& execution) {
  return static_cast<size_t>(std::ranges::count_if(
      execution.choices, [](const Choice& c) { return c.chosen != c.fallback; }));
}

void BeginDrop(Minimise::State& s) {
  s.phase = Minimise::Phase::kDrop;
  s.merged = false;
  s.length = static_cast<uint32_t>(s.deviations.size());
  s.next = 0;
}

// Of kSearch. Made anew for each call, as after the death of the program's process.
std::unique_ptr<Explorer> Search(Minimise::State& s, StopToken stop_token) {
  Options options;
  options.stop_token = stop_token;
  options.iterates = true;
  options.early_timeouts = !s.searches_without;
  if (s.searches_without) return std::make_unique<ContextBounded>(&s.search, options);
  const uint32_t cost = s.preemptions + s.early_timeouts;
  options.bound.most = cost == 0 ? 0 : cost - 1;
  return std::make_unique<BoundedDpor>(&s.fewer, options);
}

// Is there something to search for? Sets it up.
bool BeginSearch(Minimise::State& s, bool spent) {
  s.searches_without = s.early_timeouts > 0 && !s.searched_without;
  const bool fewer = !s.has_fewest && s.preemptions > 0 && !s.searched;
  if (!s.searches_without && !fewer) return false;
  (s.searches_without ? s.searched_without : s.searched) = true;
  s.phase = Minimise::Phase::kSearch;
  s.search = ContextBounded::State();
  s.fewer = BoundedDpor::State();
  s.unfinished |= spent;
  s.floor = s.search_floor;
  return true;
}

}  // namespace

Minimise::Minimise(State* state, SameFinding& finding, StopToken stop_token)
    : state_(state), finding_(finding), stop_token_(stop_token) {}

void Minimise::Start(State* state, const Execution& failing, uint32_t at_least, uint64_t budget,
                     StopToken stop_token) {
  state->at_least = at_least;
  Adopt(*state, failing);
  state->budget = budget;
  state->floor = state->has_fewest && failing.early_timeouts == 0 ? 0 : budget / 2;
  state->search_floor = budget / 8;
  BeginDrop(*state);
  if (state->has_fewest) return;
  if (auto reordered = Linearise(failing, failing.Cost(), kMostPrefixes, stop_token)) {
    state->script = std::move(reordered->script);
    state->options = std::move(reordered->options);
    state->phase = Phase::kReorder;
  }
}

std::optional<plan::Plan> Minimise::NextPlan() {
  State& s = *state_;
  while (s.phase != Phase::kDone && !stop_token_.IsRequested()) {
    const bool spent = s.budget <= s.floor;
    if (!spent) {
      if (const auto plan = Propose()) {
        --s.budget;
        return plan;
      }
    }
    LeavePhase(spent);
  }
  return std::nullopt;
}

// The next schedule of the present phase; nothing when the phase is through.
std::optional<plan::Plan> Minimise::Propose() {
  State& s = *state_;
  if (s.phase == Phase::kSearch) return Search(s, stop_token_)->NextPlan();
  if (s.phase == Phase::kReorder) {
    if (s.reordered) return std::nullopt;
    s.reordered = true;
    return plan::Plan{.deviations = {}, .script = s.script, .options = s.options, .lenient = true};
  }
  const bool proposed = s.phase == Phase::kDrop ? ProposeDrop() : ProposeMerge();
  if (!proposed) return std::nullopt;
  return plan::Plan{.deviations = s.proposal, .lenient = true};
}

// Goes on to the next phase, because the present one is through or has `spent` its share.
void Minimise::LeavePhase(bool spent) {
  State& s = *state_;
  if (s.phase == Phase::kSearch) {
    const bool proved = !s.searches_without || s.early_timeouts + s.preemptions == 1;
    // One with fewer preemptions and more stale accesses is not looked for.
    s.has_fewest |= proved && !spent && !s.is_weak;
    if (!spent && BeginSearch(s, false)) return;
    s.floor = 0;
    s.phase = Phase::kDone;
    if (s.unfinished) BeginDrop(s);
    s.unfinished = false;
  } else if (s.phase == Phase::kReorder) {
    BeginDrop(s);
  } else if (s.phase == Phase::kDrop && !spent) {
    s.phase = Phase::kMerge;
    s.next = 0;
    s.merged = false;
  } else if (s.merged && !spent) {
    BeginDrop(s);  // what was moved may have made more deviations superfluous
  } else if (BeginSearch(s, spent)) {
    return;
  } else if (spent && s.floor > 0) {
    s.floor = 0;  // no search is needed, so its share is free
  } else {
    s.phase = Phase::kDone;
  }
}

void Minimise::Learn(const Execution& execution) {
  State& s = *state_;
  const bool better = IsBetter(execution) && finding_.Holds(execution);
  bool fewest = false;
  if (s.phase == Phase::kSearch) {
    const auto search = Search(s, stop_token_);
    fewest = s.searches_without || int64_t{execution.Cost()} <= search->CurrentBound();
    search->Learn(execution);
  }
  if (!better) return;
  Adopt(s, execution);
  switch (s.phase) {
    case Phase::kReorder:
      BeginDrop(s);
      break;
    case Phase::kDrop:  // goes on where the run was, among the deviations that followed it
      s.next -= std::min(s.next, s.length);
      s.length = std::min(s.length, static_cast<uint32_t>(s.deviations.size()));
      break;
    case Phase::kMerge:
      s.merged = true;
      s.next = 0;
      break;
    case Phase::kSearch:
      s.has_fewest |= fewest && !s.is_weak;
      s.floor = 0;
      BeginDrop(s);
      break;
    case Phase::kDone:
      break;
  }
}

bool Minimise::IsBetter(const Execution& execution) const {
  const State& s = *state_;
  return std::tuple(CountStale(execution), execution.early_timeouts, execution.preemptions,
                    execution.switches, CountDeviations(execution)) <
         std::tuple(s.stale, s.early_timeouts, s.preemptions, s.switches, s.deviations.size());
}

// Leaves out deviations [next, next + length), for every place, then for half the length.
bool Minimise::ProposeDrop() {
  State& s = *state_;
  if (s.next >= s.deviations.size()) {
    s.length /= 2;
    s.next = 0;
  }
  if (s.length == 0 || s.deviations.empty()) return false;
  const size_t end = std::min<size_t>(s.next + s.length, s.deviations.size());
  s.proposal.assign(s.deviations.begin(), s.deviations.begin() + s.next);
  s.proposal.insert(s.proposal.end(), s.deviations.begin() + static_cast<ptrdiff_t>(end),
                    s.deviations.end());
  s.next += s.length;
  return true;
}

// Tries every change on every turn.
bool Minimise::ProposeMerge() {
  State& s = *state_;
  while (s.next < kChanges * s.turns.size()) {
    const uint32_t first = s.next / kChanges;
    const auto change = static_cast<Change>(s.next % kChanges);
    ++s.next;
    uint32_t second = first + 1;
    while (second < s.turns.size() && s.turns[second].thread != s.turns[first].thread) ++second;
    if (second == s.turns.size() && change != kLeaveOut) continue;
    ProposeOrder(first, second, change);
    return true;
  }
  return false;
}

void Minimise::ProposeOrder(uint32_t first, uint32_t second, Change change) {
  State& s = *state_;
  s.proposal.clear();
  bool held = false;  // the thread of `first` is kept from running
  for (uint32_t t = 0; t < s.turns.size(); ++t) {
    if (t == first) {
      held = change != kBothEarly;
      if (!held) AppendTurn(first, false);
      if (!held) AppendTurn(second, false);
    } else if (t == second && change != kLeaveOut) {
      held = false;
      if (change == kBothLate) AppendTurn(first, false);
      if (change == kBothLate) AppendTurn(second, false);
    } else {
      AppendTurn(t, held);
    }
  }
}

// Appends the steps of `turn` to the proposal, the forced ones only if they will be choice points,
// because more threads will be enabled.
void Minimise::AppendTurn(uint32_t turn, bool more_enabled) {
  State& s = *state_;
  for (uint32_t i = s.turns[turn].begin; i < s.turns[turn].end; ++i) {
    const Step& step = s.best[i];
    if (step.kind == Step::Kind::kForced && !more_enabled) continue;
    const uint32_t option = step.kind == Step::Kind::kOther ? step.option : ThreadOf(step);
    s.proposal.push_back({static_cast<uint32_t>(s.proposal.size()), option});
  }
}

bool Minimise::HasFewest() const { return state_->has_fewest; }

std::vector<uint32_t> Minimise::Schedule() const {
  std::vector<uint32_t> options;
  for (const Step& step : state_->best) {
    if (step.kind != Step::Kind::kForced) options.push_back(step.option);
  }
  return options;
}

}  // namespace heddle::explore
