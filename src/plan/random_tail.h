// How a random tail (plan::Tail) chooses a thread where its execution may cost only so much
// (plan::Plan::most_cost): with one chance in CostlyOneIn one of the options that cost something,
// if the execution may cost more, and there are any; else one of those that cost nothing. Within
// either each is as likely. Where nothing limits the cost, all options are equally likely.
//
// Were all equally likely with a limit, too, an execution would have spent it after a few steps. So
// late preemptions, which are most of all, would be as good as never drawn.
#pragma once

#include <cstdint>

namespace heddle::plan {

// `step`: index of the step that is chosen (trace::Execution::steps), from 1.
inline uint32_t CostlyOneIn(uint32_t step) { return step + 2; }

}  // namespace heddle::plan
