// The same execution with fewer preemptions: of all orders of its independent steps, one that needs
// the fewest preemptions and early timeouts.
//
// Source: MSR-TR-2007-12, section 3.2: the context bound of the whole execution by dynamic
// programming over its prefixes; here the way that has it is read off backwards. The problem is
// NP-complete, so bounds are tried from 0 on, and only so many prefixes are looked at.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "explore/stop_token.h"
#include "plan/plan.h"
#include "trace/execution.h"

namespace heddle::explore {

struct Linearisation {
  uint32_t cost = 0;                        // preemptions and early timeouts, as far as is foreseen
  std::vector<op::ThreadId> script;         // plan::Plan::script of the whole execution
  std::vector<plan::ScriptOption> options;  // likewise
};

// Nothing, if none with less than `below` was found while looking at `most_states` prefixes, there
// is no more time for it, or the execution has more threads than Prefixes can have. `below` is at
// most ContextBounds::kMostBound + 1; more counts as that.
std::optional<Linearisation> Linearise(const trace::Execution& execution, uint32_t below,
                                       uint64_t most_states, StopToken stop_token = {});

}  // namespace heddle::explore
