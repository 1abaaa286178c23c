// What of a search outlives the process that it runs in. It hangs on one root of heddle's heap, so
// when the program kills the process, the next one goes on with it.
#pragma once

#include <cstdint>

#include "channel/progress.h"
#include "explore/coverage.h"
#include "search/findings.h"
#include "search/outcomes.h"
#include "search/probing.h"
#include "search/sharing.h"

namespace heddle::search {

struct SearchState {
  void* explorer = nullptr;  // State of the explorer, made by its registry entry
  explore::Coverage::State coverage;
  FindingObserver::State findings;
  Outcomes::State outcomes;
  Probing::State probing;
  Sharing::State sharing;
  uint64_t begun_ns = 0;
  uint64_t layout = 0;  // where the program is: an object's address is its name
  bool moved = false;   // a later process found the program elsewhere
  channel::Stop ended = channel::Stop::kNone;  // if it was saved at its end
};

// Since the search began for the first time.
inline uint64_t RunsOf(const SearchState& state) {
  return state.findings.earlier_runs + state.findings.executions + state.findings.redundant +
         state.findings.assumed_away;
}

}  // namespace heddle::search
