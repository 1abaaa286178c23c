// Is there one schedule only? An order that draws schedules would draw it for ever.
#pragma once

#include <algorithm>

#include "trace/execution.h"

namespace heddle::explore {

// No choice of this execution, which has come to its end, had a second option: the program has no
// other execution.
inline bool IsOnlySchedule(const trace::Execution& execution) {
  const trace::EndClass end = trace::ClassOf(execution.ending.kind);
  if (end == trace::EndClass::kUncontrolled || end == trace::EndClass::kInternal) return false;
  return std::ranges::none_of(execution.choices, [&](const trace::Choice& choice) {
    if (choice.kind != trace::ChoiceKind::kThread) return choice.option_count > 1;
    return execution.Open(choice).Count() > 1 || !execution.EarlyTimeouts(choice).Empty();
  });
}

}  // namespace heddle::explore
