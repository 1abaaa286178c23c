// Guards of function-local statics, as the Itanium C++ ABI (section 3.3.3) has them: 64 bits, of
// which the first byte says that the object is constructed. Compiled code loads that byte with
// acquire order and calls us only if it is zero, so the end of a construction is a release store to
// that byte, too.
#pragma once

#include <cstdint>

namespace heddle::runtime {

// REQUIRES: InExecution(). Acquire: the caller must construct the object, and then call Release, or
// Abort if the constructor threw. A constructor that comes back to its own object waits for itself:
// a deadlock.
bool GuardAcquire(uint8_t* guard, uintptr_t pc);
void GuardRelease(uint8_t* guard, uintptr_t pc);
void GuardAbort(uint8_t* guard, uintptr_t pc);

// The same for an ordinary program that has no C++ library of its own to ask.
bool HostGuardAcquire(uint8_t* guard);
void HostGuardEnd(uint8_t* guard, bool done);

}  // namespace heddle::runtime
