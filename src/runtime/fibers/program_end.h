// The end of the program, as an operation (world/termination.h).
#pragma once

#include <cstdint>

namespace heddle::runtime {

// The running thread is about to end the program: a scheduling point, unless no other thread lives,
// the thread is in an atomic section, or it has just been there.
void ReachProgramEnd(uintptr_t pc);

}  // namespace heddle::runtime
