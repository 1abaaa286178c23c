// How many heddle_hook calls a search makes: the measure of the One Page Model Checker (section 6),
// which runs no prefix twice. So what an execution repeats of the one it was made from does not
// count: every call counts once for each sequence of steps that leads to it.
//
// A thread calls heddle_hook at the end of the step before: it stands there, and whether it is let
// go is another matter. So a call belongs to the step in which its thread made its operation before
// that, or was created.
#pragma once

#include <cstdint>

#include "plan/plan.h"
#include "trace/execution.h"

namespace heddle::explore {

// Calls in `execution`, but for those before the plan's last deviation, or in the steps of its
// script but the last.
uint64_t NewHooks(const plan::Plan& plan, const trace::Execution& execution);

}  // namespace heddle::explore
