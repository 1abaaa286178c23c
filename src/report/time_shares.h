// What there is to say of where the time of a search went.
#pragma once

#include <string>

#include "report/search_result.h"

namespace heddle::report {

// A remark where one part that need not be there takes most of the time of slow executions, with
// what helps; else empty.
std::string TimeText(const TimeShares& time);

}  // namespace heddle::report
