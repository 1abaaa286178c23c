// Switching between fibers: stack, callee-saved registers, floating-point control words and the
// thread pointer (the FS base), which names the TLS block.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::runtime {

// Decides once whether the CPU and the kernel let user code write the FS base; otherwise each
// switch pays for arch_prctl. REQUIRES: called before the first switch.
void InitSwitching();

uintptr_t ReadThreadPointer();

// Saves the running context at *save and continues in the one whose stack pointer is `load`, with
// `thread_pointer`.
extern "C" void heddle_switch_context(void** save, void* load, uintptr_t thread_pointer);

// Lays out a new stack so that the first switch to the answer calls entry(argument) on it, with the
// caller's rounding mode and other control words of floating point (POSIX: a thread inherits them).
// REQUIRES: entry never returns. ENSURES: unwinding ends there (the frame has no caller).
void* PrepareStack(char* stack_end, void (*entry)(void*), void* argument);

}  // namespace heddle::runtime
