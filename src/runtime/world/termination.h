// Ways in which the program ends itself on purpose or by a failed check of its own: abort, assert,
// std::terminate, quick_exit.
#pragma once

#include <cstdint>

namespace heddle::runtime {

// Replaces the C++ library's default terminate handler, if the program has that library, so that an
// uncaught exception is reported with its type and text. REQUIRES: before the snapshot.
void InstallTerminateHandler();

// The program gave up. What libc had to say about it, if libc aborts, becomes the message.
[[noreturn]] void EndByAbort(uintptr_t pc);

[[noreturn]] void EndByAssertion(const char* expression, const char* file, unsigned line,
                                 const char* function, uintptr_t pc);

// quick_exit: its handlers, last registered first, then the end.
void AtQuickExit(void (*handler)(void*), void* argument);
[[noreturn]] void QuickExit(int status, uintptr_t pc);

}  // namespace heddle::runtime
