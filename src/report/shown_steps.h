// Which steps of a finding its reader sees. Those of libraries, of the unwinder and of test
// frameworks are no steps of the program's source; and of an execution of a million steps the
// middle is left out, but for what the finding is about.
#pragma once

#include <vector>

#include "report/finding_context.h"

namespace heddle::report {

bool IsForeign(const FindingContext& in, size_t at);
std::vector<bool> StepsToKeep(const FindingContext& in);
// The steps that wrote what the last accesses of the marked threads read.
std::vector<bool> ReadFrom(const std::vector<channel::StepRecord>& steps);

}  // namespace heddle::report
