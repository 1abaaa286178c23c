// A choice point: more than one thread, or option, could go on. Asks the plan, else takes the
// default, and writes down what was open and what was taken.
#pragma once

#include <cstdint>

#include "op/operation.h"
#include "trace/execution.h"

namespace heddle::runtime {

// Who goes on. REQUIRES: more than one thread is open or timed.
op::ThreadId ChooseThread();
// `only` is the one that can.
void ForceThread(op::ThreadId only);

// A choice other than which thread runs: 0 .. options-1. REQUIRES: options >= 1.
uint32_t ChooseOption(trace::ChoiceKind kind, uint32_t options);

}  // namespace heddle::runtime
