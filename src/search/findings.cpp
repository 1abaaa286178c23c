#include "search/findings.h"

#include <string.h>

#include <algorithm>
#include <optional>

#include "explore/minimise.h"
#include "runtime/control.h"
#include "runtime/races.h"
#include "runtime/record.h"
#include "search/explain.h"

namespace heddle::search {
namespace {

// Executions that minimising one finding may cost.
constexpr uint64_t kMinimiseBudget = 400;

bool Contains(const std::vector<uint64_t>& set, uint64_t value) {
  return std::find(set.begin(), set.end(), value) != set.end();
}

class SameKey final : public explore::SameFinding {
 public:
  explicit SameKey(uint64_t key) : key_(key) {}
  bool Holds(const trace::Execution& execution) override {
    for (const check::Finding& finding : FindingsOf(execution))
      if (finding.key == key_) return true;
    return false;
  }

 private:
  const uint64_t key_;
};

// Plain accesses are many: only those to the raced bytes are to be recorded. The minimised schedule
// may race on other bytes than the one that was found, so it runs once to see.
void WatchRacedBytes(const check::Finding& finding, target::Target& target,
                     const std::vector<uint32_t>& schedule) {
  runtime::WatchAccesses(0, 0);
  if (finding.kind != channel::BugKind::kDataRace) return;
  const std::vector<plan::Deviation> dense = Dense(schedule);
  plan::Plan plan;
  plan.deviations = dense;
  for (const check::Finding& shown : FindingsOf(target.Run(plan)))
    if (shown.key == finding.key) return runtime::WatchAccesses(shown.address, shown.size);
}

std::vector<uint32_t> MinimisedSchedule(const FindingObserver::Pending& pending,
                                        target::Target& target, bool preemptions_minimal) {
  const std::vector<plan::Deviation> dense = Dense(pending.schedule);
  plan::Plan plan;
  plan.deviations = dense;
  explore::Minimise::State state;
  SameKey same(pending.finding.key);
  explore::Minimise::Start(&state, target.Run(plan), preemptions_minimal, kMinimiseBudget);
  explore::Minimise minimise(&state, same);
  while (const std::optional<plan::Plan> next = minimise.NextPlan())
    minimise.Learn(target.Run(*next));
  return minimise.Schedule();
}

}  // namespace

explore::Observer::Verdict FindingObserver::OnExecution(const plan::Plan&,
                                                        const trace::Execution& execution) {
  if (execution.ending.kind == trace::EndKind::kGrew) return Verdict::kStop;
  if (execution.ending.kind != trace::EndKind::kRedundant)
    ++state_->executions;
  else if (execution.ending.status == trace::kCutByPlan)
    ++state_->redundant;
  else
    ++state_->assumed_away;
  state_->events += execution.events.size();
  state_->threads = std::max<uint64_t>(state_->threads, execution.created);
  if (execution.ending.kind == trace::EndKind::kDiverged ||
      execution.ending.kind == trace::EndKind::kUnsupported) {
    state_->uncontrolled = true;
    state_->unsupported = execution.ending.kind == trace::EndKind::kUnsupported;
    memcpy(state_->culprit, execution.ending.message, sizeof state_->culprit);
    return Verdict::kStop;
  }
  check::Finding finding;
  if (check::FindingOfEnding(execution, &finding)) Notice(finding, execution);
  if (execution.findings != 0)
    for (const check::Race& race : runtime::RacesOfExecution())
      Notice(check::FindingOfRace(race), execution);
  return state_->pending.empty() ? Verdict::kContinue : Verdict::kStop;
}

void FindingObserver::Notice(const check::Finding& finding, const trace::Execution& execution) {
  if (Contains(state_->known, finding.key)) return;
  state_->known.push_back(finding.key);
  state_->pending.push_back(
      {finding, OptionsOf(execution), execution.preemptions, state_->executions});
}

namespace {

// What is known of an execution that cannot be explained: who was chosen where.
void WriteUnexplained(const FindingObserver::Pending& pending) {
  std::vector<trace::Choice> choices(pending.schedule.size());
  for (size_t i = 0; i < choices.size(); ++i) choices[i].chosen = pending.schedule[i];
  trace::Execution execution;
  execution.choices = choices;
  execution.preemptions = pending.preemptions;
  execution.threads = runtime::ChannelHeader().name_count.load();
  // An execution that hangs and was killed for it again did show its bug.
  const bool reproduced = pending.finding.kind == channel::BugKind::kHang;
  WriteFinding(pending.finding, IdentityOf(pending.finding, {}), execution, pending.execution,
               reproduced, {});
}

}  // namespace

unsigned ReportPending(FindingObserver::State* state, target::Target& target, target::Target& apart,
                       bool minimise, bool preemptions_minimal) {
  unsigned fresh = 0;
  while (!state->pending.empty()) {
    // It stays in the list until it is written: the process may die in between.
    const uint32_t attempt = state->pending.front().attempts++;
    const FindingObserver::Pending pending = state->pending.front();
    const auto done = [state] { state->pending.erase(state->pending.begin()); };
    constexpr uint32_t kAttempts = 2;
    if (attempt == kAttempts) {
      WriteUnexplained(pending);
      state->uncontrolled |= pending.finding.kind != channel::BugKind::kHang;
      ++fresh;
      done();
      continue;
    }
    const bool died = attempt != 0 || pending.finding.thread == op::kNoThread;
    const bool cheap = !died && pending.finding.kind != channel::BugKind::kHang;
    const std::vector<uint32_t> schedule =
        minimise && cheap ? MinimisedSchedule(pending, target, preemptions_minimal)
                          : pending.schedule;
    WatchRacedBytes(pending.finding, target, schedule);
    const Explanation told = Explain(died ? apart : target, schedule, pending.finding);
    // Recording is slow: it may run into the time limit where the search ran into that on events.
    const bool again = told.finding.has_value();
    const bool better = again && told.finding->kind != channel::BugKind::kHang;
    if (!Contains(state->reported, told.identity)) {
      state->reported.push_back(told.identity);
      ++fresh;
      if (!again) state->uncontrolled = true;
      WriteFinding(better ? *told.finding : pending.finding, told.identity, *told.execution,
                   pending.execution, again, told.steps);
    }
    done();
  }
  return fresh;
}

void ExplainSchedule(FindingObserver::State* state, target::Target& target,
                     const std::vector<uint32_t>& schedule, uint64_t expected) {
  runtime::WatchAllAccesses();  // the program must run once only: its output is shown
  std::vector<Explanation> all = ExplainAll(target, schedule);
  const trace::Execution& execution = *all.front().execution;
  state->executions = 1;
  state->events = execution.events.size();
  state->threads = execution.created;
  if (execution.ending.kind == trace::EndKind::kDiverged ||
      execution.ending.kind == trace::EndKind::kUnsupported) {
    state->uncontrolled = true;
    memcpy(state->culprit, execution.ending.message, sizeof state->culprit);
  }
  // An execution may show more than the bug that it was recorded for.
  const auto recorded = std::find_if(all.begin(), all.end(), [expected](const Explanation& one) {
    return one.finding && one.identity == expected;
  });
  if (recorded != all.end()) all = {*recorded};
  for (const Explanation& one : all)
    if (one.finding) WriteFinding(*one.finding, one.identity, execution, 1, true, one.steps);
}

}  // namespace heddle::search
