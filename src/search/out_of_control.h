// By what a program, or the machine, got out of control, in words for the user (State::culprit).
#pragma once

#include "search/findings.h"

namespace heddle::search {

// Is it so at the end of this execution? Then it is told.
bool IsOutOfControl(const trace::Execution& execution, FindingObserver::State* state);

// The schedule of a finding, run once more, did not show it.
void TellNotReproduced(const FindingObserver::Unexplained& unexplained,
                       const trace::Execution& again, FindingObserver::State* state);

}  // namespace heddle::search
