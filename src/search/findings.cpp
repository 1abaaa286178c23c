#include "search/findings.h"

#include <algorithm>

#include "explore/hook_count.h"
#include "runtime/control.h"
#include "runtime/races.h"
#include "runtime/runtime.h"
#include "search/explain.h"
#include "search/out_of_control.h"

namespace heddle::search {

explore::Observer::Then FindingObserver::OnExecution(const plan::Plan& plan,
                                                     const trace::Execution& execution) {
  if (execution.ending.kind == trace::EndKind::kNeedsMorePoints) return Then::kStop;
  state_->was_stopped = execution.ending.kind == trace::EndKind::kStopped;
  if (state_->was_stopped) {
    // Not to an end, so it counts as none.
  } else if (execution.ending.kind != trace::EndKind::kRedundant)
    ++state_->executions;
  else if (execution.ending.status == trace::kCutByPlan)
    ++state_->redundant;
  else
    ++state_->assumed_away;
  if (execution.ending.kind == trace::EndKind::kCut) ++state_->cut;
  state_->hooks += explore::NewHooks(plan, execution);
  state_->events += execution.events.size();
  state_->threads = std::max<uint64_t>(state_->threads, execution.created);
  // As with bugs (Notice): it counts, should the search be ended before the explorer is through.
  channel::Progress& progress = runtime::ChannelHeader().progress;
  progress.executions.store(state_->executions - state_->again, std::memory_order_relaxed);
  progress.events.store(state_->events, std::memory_order_relaxed);
  if (IsOutOfControl(execution, state_)) return Then::kStop;
  for (const check::Finding& finding : check::FindingsOf(execution)) Notice(finding, execution);
  if (!execution.weak_pairs.empty()) runtime::WeakPairsAreTold();
  return state_->unexplained.empty() ? Then::kContinue : Then::kStop;
}

void FindingObserver::NoteProbe(const trace::Execution& execution) {
  if (IsOutOfControl(execution, state_)) return;
  for (const check::Finding& finding : check::FindingsOf(execution)) Notice(finding, execution);
  if (!execution.weak_pairs.empty()) runtime::WeakPairsAreTold();
}

void WriteUnexplained(const FindingObserver::Unexplained& unexplained, channel::Missing missing) {
  std::vector<trace::Choice> choices(unexplained.schedule.size());
  for (size_t i = 0; i < choices.size(); ++i) {
    choices[i].chosen = unexplained.schedule[i] & ~trace::kLeavesWaiting;
    choices[i].running_waits = (unexplained.schedule[i] & trace::kLeavesWaiting) != 0;
  }
  trace::Execution execution;
  execution.choices = choices;
  execution.preemptions = unexplained.preemptions;
  execution.early_timeouts = unexplained.early_timeouts;
  execution.threads = runtime::NameCount().load();
  // Nobody has tried it again; or it hung again, and was killed for it.
  const bool reproduced =
      missing != channel::Missing::kNothing || unexplained.finding.kind == channel::BugKind::kHang;
  Explanation told;
  told.identity = IdentityOf(unexplained.finding, {});
  told.fewer_may_do = missing != channel::Missing::kNothing && execution.Cost() != 0;
  told.execution = &execution;
  WriteFinding({.execution = unexplained.execution,
                .reproduced = reproduced,
                .number = unexplained.number,
                .missing = missing},
               unexplained.finding, told);
}

void TellAtOnce(FindingObserver::State* state, FindingObserver::Unexplained& one) {
  const check::Race& race = one.finding.race;
  if (one.finding.weak || race.allowed || race.told_otherwise) return;
  one.number = ++state->told;
  WriteUnexplained(one, channel::Missing::kRecording);
}

// It is told here, not when it is explained: what the explorer learns from the execution in between
// may take so long that the search is ended by force.
void FindingObserver::Notice(const check::Finding& finding, const trace::Execution& execution) {
  if (std::ranges::find(state_->known, finding.key) != state_->known.end()) return;
  state_->known.push_back(finding.key);
  state_->unexplained.push_back({finding, OptionsOf(execution), execution.preemptions,
                                 execution.early_timeouts, state_->executions - state_->again});
  TellAtOnce(state_, state_->unexplained.back());
}

}  // namespace heddle::search
