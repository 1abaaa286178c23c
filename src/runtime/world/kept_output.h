// What the program prints in one execution, kept aside: a test framework prints why an assertion
// failed, and then breaks (faults.cpp). Only in the execution that explains a finding.
#pragma once

#include <vector>

#include "op/operation.h"

namespace heddle::runtime {

// Once, before the first execution.
void InitKeptOutput();

// From here to EndKeepingOutput descriptors 1 and 2 of this process are a file in memory.
void BeginKeepingOutput();
void EndKeepingOutput();

// `thread` breaks: what is printed up to here has what it says. Also what is still in the buffers
// of libc.
void NoteBreak(op::ThreadId thread);

// The last of what was printed when `thread` broke; empty if it did not. Between the two above.
std::vector<char> PrintedBefore(op::ThreadId thread);

}  // namespace heddle::runtime
