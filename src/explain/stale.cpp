#include "explain/stale.h"

#include <algorithm>

#include "explain/relations.h"

namespace heddle::explain {

std::vector<Stale> StaleIn(const Recorded& execution) {
  const Relations relations(execution);
  std::vector<Stale> stale;
  for (EventId event = 0; event < execution.Size(); ++event) {
    const Event& e = execution.At(event);
    // An update's second half stands where the first one reads.
    if (!e.IsAccess() || (e.IsStore() && e.of_update)) continue;
    const std::vector<EventId>& writes = relations.WritesOf(e.location);
    const size_t level = e.IsLoad() ? relations.ReadLevel(event) : relations.LevelOf(event);
    EventId passed = model::kNoEvent;
    for (size_t i = level; i < writes.size(); ++i) {
      if (writes[i] >= event) continue;
      if (e.IsStore() && passed != model::kNoEvent) break;
      passed = writes[i];
    }
    if (passed != model::kNoEvent) stale.push_back({event, passed});
  }
  return stale;
}

}  // namespace heddle::explain
