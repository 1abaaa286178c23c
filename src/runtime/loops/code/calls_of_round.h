// What the code of a loop calls, wherever in the round: functions of libraries that heddle does not
// see into (outside_calls.h). Also of a loop whose operation lies in functions that it calls:
// wait_for() calls wait_until() calls pthread_cond_clockwait().
#pragma once

#include <cstdint>
#include <span>

namespace heddle::runtime {

inline constexpr char kNoLoop[] = "";  // known by its address

struct CallOnStack {
  uintptr_t function;
  uintptr_t return_address;
};

// `stack`: the calls that a thread is in, of the program's code, innermost first. The loop lies in
// one of these functions; from those further in the thread comes back to it. Taken is the largest
// loop around the outermost of the calls that are in one, and all code of the functions further in;
// and what these call. Returns the name of an outside function that is called, empty if code is not
// understood, kNoLoop if no call is in a loop, null if there is none. Does not look beyond 2,048
// instructions of a function. Not for code that is reached by exceptions only. Keeps what it has
// found; not on the way of an event.
const char* CallOutsideOfLoop(std::span<const CallOnStack> stack);
// The same of a loop in the function that has the call before `return_address`.
const char* CallOutsideOfLoop(uintptr_t return_address);

}  // namespace heddle::runtime
