#include "search/outcomes.h"

#include <string.h>

namespace heddle::search {

explore::Observer::Then Outcomes::OnExecution(const plan::Plan&,
                                              const trace::Execution& execution) {
  const char* label = execution.outcome;
  const trace::EndKind end = execution.ending.kind;
  if (label[0] == '\0' || end == trace::EndKind::kRedundant || end == trace::EndKind::kGrew ||
      end == trace::EndKind::kStopped)
    return Then::kContinue;
  for (Entry& entry : state_->entries) {
    if (strcmp(entry.label, label) != 0) continue;
    entry.count += known_ != nullptr && known_->LastWasSeenAgain() ? 0 : 1;
    if (execution.Cost() < entry.preemptions + entry.early_timeouts) {
      entry.preemptions = execution.preemptions;
      entry.early_timeouts = execution.early_timeouts;
    }
    return Then::kContinue;
  }
  Entry& entry = state_->entries.emplace_back();
  strncpy(entry.label, label, sizeof entry.label - 1);
  entry.count = 1;
  entry.preemptions = execution.preemptions;
  entry.early_timeouts = execution.early_timeouts;
  return Then::kContinue;
}

}  // namespace heddle::search
