// Ways in which the program ends: on purpose or by a failed check of its own (exit, abort, assert,
// std::terminate, quick_exit, a failed assumption), by a misuse or by a crash.
//
// All of them end the other threads, too, so where these stand then is part of the ending. While
// others live an end is therefore an operation (steps/program_end.h): a scheduling point at which
// the thread lets others go first, so that by default the end is the last step of an execution in
// which all others have come to rest. Ends conflict with each other and with nothing else.
#pragma once

#include <cstdint>

namespace heddle::runtime {

// Replaces the C++ library's default terminate handler, if the program has that library, so that an
// uncaught exception is reported with its type and text. REQUIRES: before the snapshot.
void InstallTerminateHandler();

// heddle_assume: drops the execution, once nothing else is left to do. What others did meanwhile
// was explored.
[[noreturn]] void EndByAssumption(uintptr_t pc);

// The program gave up. What libc had to say about it, if libc aborts, becomes the message.
[[noreturn]] void EndByAbort(uintptr_t pc);

[[noreturn]] void EndByAssertion(const char* expression, const char* file, unsigned line,
                                 const char* function, uintptr_t pc);

// quick_exit: its handlers, last registered first, then the end.
void AtQuickExit(void (*handler)(void*), void* argument);
[[noreturn]] void QuickExit(int status, uintptr_t pc);
// Those that are registered, and what NoteExit was told.
uint64_t HashOfQuickExitHandlers();

// exit() is called: its handlers are to run first.
void NoteExit(uintptr_t pc);
// Has exit() been called, or main returned?
bool IsExiting();

// The last of it, once the handlers have run, if any are to. A body of heddle::Check is a part of a
// test: if it ends the program in place of returning, that is a bug whatever the status, because
// the rest of the test is skipped.
[[noreturn]] void EndByExit(int status, uintptr_t pc);

}  // namespace heddle::runtime
