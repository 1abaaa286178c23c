// Where a finding is shown by what shows it at one place: SARIF, the lines for editors, GitHub's
// annotations.
#pragma once

#include "channel/records.h"
#include "report/search_result.h"

namespace heddle::report {

// A preemption is what the reader looks for, too, but no place of the bug.
inline constexpr uint32_t kPlaces = channel::kStepRaceFirst | channel::kStepRaceSecond |
                                    channel::kStepBlocked | channel::kStepEnding |
                                    channel::kStepLeft | channel::kStepMade;

// Where it comes to light: the second access of a race, the end; of a deadlock, the wait that the
// others wait for, or the first of the cycle. Null: no step has a line.
const Step* PrimaryStep(const Finding& finding);

// Its place; without any line of the program, the program itself: who is shown only findings with a
// line must see this one, too.
Location PrimaryPlace(const Finding& finding, const SearchResult& result);

}  // namespace heddle::report
