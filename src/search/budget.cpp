#include "search/budget.h"

#include "search/save.h"

namespace heddle::search {

using channel::Stop;

bool SearchBudget::Left() {
  PublishProgress();
  const channel::Settings& settings = header_.settings;
  // After a stop request a stoppable explorer may be inconsistent: it must neither be saved nor
  // part with branches (explore/stop_token.h).
  if (stoppable_ && IsStopRequested()) return false;
  if (SaveIsWished(header_)) {
    header_.progress.completed_bound.store(sharing_.CompletedBound(explorer_));
    StandStill(header_, Stop::kNone);
  }
  if (header_.sharing.wishes_in.load(std::memory_order_relaxed) != 0 &&
      header_.sharing.wishes_in.fetch_sub(1) == 1)
    header_.sharing.wished.store(channel::kAllBranches);
  if (sharing_.PartIsWished()) sharing_.Part(explorer_);
  if (IsStopRequested()) return false;
  if (stoppable_ && header_.save_at_end.load(std::memory_order_relaxed) != 0 && !sharing_.IsOn()) {
    wants_patience_ = true;
    return false;
  }
  const uint64_t runs = RunsOf(state_);
  if (settings.max_executions != 0 && runs >= settings.max_executions) {
    reason_ = Stop::kExecutions;
    return false;
  }
  if (IsTimeOver()) {
    reason_ = Stop::kTime;
    return false;
  }
  // Who says how many executions wants to see those, and a probe may show a bug. Of several jobs,
  // the one that began tells how much there is.
  wants_probes_ = settings.max_executions == 0 && header_.sharing.waits_first == 0 &&
                  probing_.AreDue(state_.findings);
  return !wants_probes_;
}

// A look at the clock costs as much as a short execution: only every few of those.
bool SearchBudget::IsTimeOver() {
  const uint64_t limit_ms = header_.settings.time_limit_ms;
  if (limit_ms == 0 || state_.findings.events < look_at_events_) return false;
  constexpr uint64_t kEventsBetweenLooks = 2000;
  look_at_events_ = state_.findings.events + kEventsBetweenLooks;
  return SearchedNs() / 1'000'000 >= limit_ms;
}

Stop SearchBudget::Reason() {
  if (reason_ == Stop::kNone) Left();
  return reason_;
}

void SearchBudget::PublishProgress() {
  channel::Progress& progress = header_.progress;
  const bool several = header_.settings.order == channel::Order::kEscalating;
  const uint64_t again = several ? coverage_.SeenAgain() : sharing_.RanAgain(explorer_);
  const uint64_t executions = state_.findings.executions - again;
  // Of several searches the coverage has told. (More at once is a search that begins anew.)
  if (!several && again == state_.findings.again + 1) outcomes_.LastWasRunAgain();
  coverage_.Executed(several ? state_.findings.executions : executions);
  state_.findings.again = again;
  progress.executions.store(executions, std::memory_order_relaxed);
  progress.redundant.store(state_.findings.redundant + again, std::memory_order_relaxed);
  progress.assumed_away.store(state_.findings.assumed_away, std::memory_order_relaxed);
  progress.cut.store(state_.findings.cut, std::memory_order_relaxed);
  progress.hooks.store(state_.findings.hooks, std::memory_order_relaxed);
  progress.events.store(state_.findings.events, std::memory_order_relaxed);
  progress.threads.store(state_.findings.threads, std::memory_order_relaxed);
  progress.suppressed.store(state_.findings.suppressed.size(), std::memory_order_relaxed);
  progress.findings.store(state_.findings.reported.size(), std::memory_order_relaxed);
  progress.bound.store(explorer_.CurrentBound(), std::memory_order_relaxed);
}

bool SearchBudget::IsStopRequested() {
  switch (static_cast<channel::StopRequest>(header_.stop_request.load())) {
    case channel::StopRequest::kNone:
      return false;
    case channel::StopRequest::kInterrupted:
      reason_ = Stop::kInterrupted;
      return true;
    case channel::StopRequest::kTime:
      reason_ = Stop::kTime;
      return true;
  }
  return false;
}

}  // namespace heddle::search
