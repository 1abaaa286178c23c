// Why the program is not under control, in words for the user (FindingObserver::State::culprit).
#pragma once

#include "search/findings.h"

namespace heddle::search {

// Returns true if this execution shows that the program is not under control (a schedule did not
// replay, something is not modelled, the process was killed from outside). Then `state` says why.
bool IsOutOfControl(const trace::Execution& execution, FindingObserver::State* state);

// Notes in `state` that the schedule of `unexplained`, run once more, did not show it; `again` is
// what that run came to.
void TellNotReproduced(const FindingObserver::Unexplained& unexplained,
                       const trace::Execution& again, FindingObserver::State* state);

}  // namespace heddle::search
