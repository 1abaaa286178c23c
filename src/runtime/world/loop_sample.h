// What a thread does that does not come to an end: after the hang signal it goes on for some ten
// thousand instructions, one at a time, and is looked at after each. That tells the loop from what
// it calls, which plain memory the loop reads, and whether anything changes from one round to the
// next. No event of the program pays for it: accesses are seen where the program enters the
// sanitizer's interface.
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <cstdint>

namespace heddle::runtime {

void BeginLoopSample();

// One more instruction was executed. Returns true if enough was seen, and the thread stands in the
// loop itself, where its stack is to be shown. ENSURES: true after a bounded number of calls.
bool SampleInstruction(const ucontext_t& context);

// The address that a read of plain memory returns to, if the loop does nothing but read a few
// variables. Otherwise 0.
uintptr_t SpinPlace();

// What was seen, as the end of a sentence whose subject is the thread; placeholders as in
// EndExecution. Returns true if it is proved that the loop never ends: in round after round the
// thread was in exactly the same state, wrote to nothing, and ran nothing but the program's own
// code, in which no other thread can run.
bool DescribeLoop(char* text, size_t size);

}  // namespace heddle::runtime
