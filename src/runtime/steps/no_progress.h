// Nobody can go on: deadlock (a cycle of owners, or waiters that nobody is left to wake) or
// livelock; or only threads are left that make progress for ever (loop_progress.h), which is no
// bug.
#pragma once

#include <cstdint>

#include "runtime/fibers/fiber.h"

namespace heddle::runtime {

// Ends the execution. `spinning`: how many threads wait in spin loops.
[[noreturn]] void EndWithoutProgress(uint32_t spinning);

// Ends the execution if threads wait for each other in a circle, whatever the others do: the
// resource graph of Inspect, section 4.6.
void EndIfThreadsWaitInCircle();
// The same, if the circle is closed by `fiber`, which has just blocked.
void EndIfClosesCircle(const Fiber& fiber);

}  // namespace heddle::runtime
