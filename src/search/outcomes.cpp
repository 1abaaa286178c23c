#include "search/outcomes.h"

#include <string.h>

namespace heddle::search {

explore::Observer::Then Outcomes::OnExecution(const plan::Plan&,
                                              const trace::Execution& execution) {
  last_ = kNone;
  const char* label = execution.outcome;
  const trace::EndKind end = execution.ending.kind;
  if (label[0] == '\0' || end == trace::EndKind::kRedundant ||
      end == trace::EndKind::kNeedsMorePoints || end == trace::EndKind::kStopped)
    return Then::kContinue;
  for (Entry& entry : state_->entries) {
    if (strcmp(entry.label, label) != 0) continue;
    if (known_ == nullptr || !known_->LastWasSeenAgain()) {
      ++entry.count;
      last_ = static_cast<size_t>(&entry - state_->entries.data());
    }
    if (execution.Cost() < entry.preemptions + entry.early_timeouts) {
      entry.preemptions = execution.preemptions;
      entry.early_timeouts = execution.early_timeouts;
    }
    return Then::kContinue;
  }
  last_ = state_->entries.size();
  Entry& entry = state_->entries.emplace_back();
  strncpy(entry.label, label, sizeof entry.label - 1);
  entry.count = 1;
  entry.preemptions = execution.preemptions;
  entry.early_timeouts = execution.early_timeouts;
  return Then::kContinue;
}

void Outcomes::LastWasRunAgain() {
  if (last_ != kNone) --state_->entries[last_].count;
  last_ = kNone;
}

}  // namespace heddle::search
