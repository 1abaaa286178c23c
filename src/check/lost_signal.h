// The signal that a thread missed which waits on a condition variable for ever.
#pragma once

#include <cstdint>
#include <span>

#include "channel/records.h"

namespace heddle::check {

// Of `steps`, all those of an execution: the last signal of `condition` that another thread sent
// while `waiter` had locked `mutex` for its wait there, but did not wait yet, and that woke nobody:
//
//   waiter: lock(m); done == false           wait(c, m) for ever
//   other:                         done = true; signal(c)
//
// Only of such a signal it is certain that the wait is for the lack of it. One that came before the
// lock may well have been of no use: who looks at the condition under the lock knows what was done
// before. Null: there is none, or not all of the steps are there.
const channel::StepRecord* LostSignal(std::span<const channel::StepRecord> steps, uint32_t waiter,
                                      uint64_t condition, uint64_t mutex);

}  // namespace heddle::check
