// What is said of a cycle (cycle.h): a livelock, or a warning of a loop that gives way to nobody.
#pragma once

#include <cstdint>

#include "runtime/loops/cycle.h"

namespace heddle::runtime {

// Ends the execution. `kept_out`: threads that could have gone on; none: it is fair.
[[noreturn]] void EndAsLivelock(const StepLog& log, const Cycle& cycle, uint64_t kept_out);
// Ends an execution that goes on for ever as its program was written to.
[[noreturn]] void EndAsGoingOn();
// Threads that did not run at all in the cycle could go on, if those in the loops gave way.
void TellStarvation(const StepLog& log, const Cycle& cycle, uint64_t kept_out);

}  // namespace heddle::runtime
