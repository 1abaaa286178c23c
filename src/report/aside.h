// Which steps a reader of a finding need not see: the bookkeeping of the C++ library, and what
// could be missing without a change of who reads what on the way to the bug. They stay in the
// result; the text leaves them out, unless everything is asked for.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "channel/records.h"
#include "report/finding_context.h"

namespace heddle::report {

// Of each step: why it may be left out, one of the flags kAside...; 0 of one that matters.
//
//   * Bookkeeping: counts of shared_ptr, call_once, the states of futures, unless the finding is
//     about the same object, or the program looks at the count (expired(), lock()).
//   * No influence. What the threads that the finding is about have done by its end is their past.
//     It grows by the past of each write that they have read from another thread. Of it a write
//     matters that another thread reads or has read the value before, a read that has what
//     another thread wrote or is about to write; of several in a row with one value one matters.
//     What a thread has not done matters as well: of one that was joined, or that ended while
//     others wait, its past does, if it went by what threads of that past have written or soon
//     overwrite. A lock matters with what is done under it, if others take it, too; and its unlock
//     with it, also one that comes behind that past.
std::vector<uint32_t> StepsAside(const FindingContext& in);

// Of each step whether it has influence, in the second sense.
std::vector<bool> StepsThatMatter(std::span<const channel::StepRecord> steps);

}  // namespace heddle::report
