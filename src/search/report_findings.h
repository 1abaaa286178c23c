// From a bug that was noticed to a finding in the report: minimised, explained, written.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "explore/explorer.h"
#include "search/findings.h"
#include "target/target.h"

namespace heddle::search {

// Minimises and explains what is unexplained, and writes it to the report: as soon as it is
// noticed, again when it was recorded, and again when it was minimised (channel::Missing).
// `at_least`: the search has shown that fewer preemptions and early timeouts do not suffice.
// `apart` runs the program in another process: an execution that killed its process is explained
// there. When that fails too, the finding is written without steps: it is never lost. When the
// search is to end, so does this, and what was written last stands. Returns how many findings were
// new.
// `other`: of a race condition, the schedule that the one that was found differs from; or nothing.
unsigned ReportUnexplained(FindingObserver::State* state, target::Target& target,
                           target::Target& apart, bool minimise, uint32_t at_least,
                           const std::optional<explore::OtherOrder>& other);

// For a process that goes on with a search: the runtime is told again what earlier findings have
// shown.
void TakeUpFindings(const FindingObserver::State& state);

// The search ended at a bug, was saved there, and goes on after all.
void GoOnBehindBug(FindingObserver::State* state);

// A replay: explains the given schedule, bug or not. `expected`: identity of the bug that it was
// recorded for; if that shows, only that is written to the report, else all that does.
// Returns the execution.
const trace::Execution& ExplainSchedule(FindingObserver::State* state, target::Target& target,
                                        const std::vector<uint32_t>& schedule, plan::EndAt end_at,
                                        uint64_t expected);

}  // namespace heddle::search
