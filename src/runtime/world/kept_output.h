// What the program prints in one execution, kept aside: a test framework prints why an assertion
// failed, and then breaks (faults.cpp); a program often says why it exits, aborts or is about to
// crash. Only in the execution that explains a finding. Or discarded: of runs of a search whose
// output is shown (--show-output) that are none of its executions.
#pragma once

#include <cstdint>
#include <string>

#include "op/operation.h"

namespace heddle::runtime {

// Once, before the first execution.
void InitKeptOutput();

// From here to EndKeepingOutput descriptors 1 and 2 of this process are files in memory.
void BeginKeepingOutput();
void EndKeepingOutput();

// From here to EndDiscardingOutput nobody sees what the program prints. Output can be kept within.
void BeginDiscardingOutput();
void EndDiscardingOutput();
bool IsOutputDiscarded();

// `thread` breaks: what is printed up to here has what it says. Also what is still in the buffers
// of libc.
void NoteBreak(op::ThreadId thread);

// The execution ends where `thread` stands; in a crash, at the machine's `pc`: what is in the
// buffers is then left there if the C library was at work on them.
void NoteEndOfOutput(op::ThreadId thread, uintptr_t pc = 0);

// The last of what was printed on descriptor 1 or 2 when `thread` broke, or the execution ended;
// empty if it did not. Between the two above.
std::string PrintedBefore(op::ThreadId thread, int descriptor);

}  // namespace heddle::runtime
