// A choice point: more than one thread, or option, could go on. Asks the plan, else takes the
// default, and writes down what was open and what was taken.
#pragma once

#include "op/operation.h"

namespace heddle::runtime {

// Who goes on. REQUIRES: more than one thread is open or timed.
op::ThreadId ChooseThread();
// `only` is the one that can.
void ForceThread(op::ThreadId only);

}  // namespace heddle::runtime
