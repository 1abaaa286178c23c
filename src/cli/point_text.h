// The words by which the command line names what an axis of the space may be: bounds, priorities.
#pragma once

#include <string>

#include "base/result.h"
#include "space/space.h"

namespace heddle::cli {

// "preemptions=N, delays=N"
std::string UnitsOfBound();
// "none" or UNIT=N.
base::Result<space::Bound> ParseBound(const std::string& text);
// "mdpor,pb".
base::Result<space::Priorities> ParsePriorities(const std::string& text);

}  // namespace heddle::cli
