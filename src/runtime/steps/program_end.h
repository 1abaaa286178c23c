// The end of the program, as an operation (world/termination.h).
#pragma once

#include <cstdint>

namespace heddle::runtime {

// The running thread is about to end the program: a scheduling point, unless no other thread lives,
// the thread is in an atomic section, or it has just been there.
void ReachProgramEnd(uintptr_t pc);

// The running thread will make no operation any more but its end. With --strict that is an event,
// on which the end of the program depends: which threads it leaves behind is a misuse then. It
// comes with the thread's last step, which a scheduling point of its own would set apart from it.
void FinishLastStep();

// Ends the execution by a misuse, of the operation that the running thread was let go with, or by
// its plain code. It has been tried; that it ends the program is an operation like any other end's
// (world/termination.h). `format` is about the state now.
[[noreturn]] void EndByMisuse(uintptr_t address, uintptr_t pc, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
}  // namespace heddle::runtime
