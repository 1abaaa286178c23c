// The races of the running execution, as the check reports them.
#pragma once

#include <span>

#include "check/data_race.h"

namespace heddle::runtime {

// Connects the check to this list.
void WatchRaces();
std::span<const check::Race> RacesOfExecution();

// Pairs of atomic accesses that weak memory may show in another order (check/data_race.h), the
// first few of the execution.
std::span<const check::Race> WeakPairsOfExecution();
// The search has taken them up: later executions of it need not show them again.
void WeakPairsAreTold();
void StopWatchingWeakPairs();

}  // namespace heddle::runtime
