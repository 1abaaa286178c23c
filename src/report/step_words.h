// One step of a finding in words: what its thread did to which object, where in the source, and
// what it read and wrote.
#pragma once

#include "report/finding_context.h"
#include "report/search_result.h"

namespace heddle::report {

Step StepInWords(const FindingContext& in, size_t at);

}  // namespace heddle::report
