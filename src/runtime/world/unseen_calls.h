// System calls that no hook has seen: those that the C library makes inside its own functions, and
// those of assembly. The kernel hands them over before they are made (prim/trapped_call.h), and
// each is undone after the execution, seen, or a reason why the search is no proof:
//
//   asks, or is a hook's own        made
//   makes or ends a descriptor      made, and put back like those of hooks (descriptors.h)
//   maps fresh memory               made, and unmapped after the execution, when libc has forgotten
//                                   it: so files that it maps for itself (iconv, gettext) are
//                                   mapped anew in each
//   changes the process otherwise   every execution runs in a process of its own (processes.h)
//   random bytes                    heddle's own, the same in every execution (random.h)
//   anything else                   is noted (claim::Incomplete::kUnseenSyscall, kWritesFiles)
//
// A thread is not interrupted within such a call, and it is no step. So where other threads could
// tell when it was made, it is noted, too. A descriptor that is closed again within the same
// function of libc they cannot tell.
#pragma once

#include <ucontext.h>

#include <cstdint>

namespace heddle::runtime {

// Once, before the first execution, after InstallFaultHandlers().
void InitUnseenCalls();
// In each process of heddle's own that runs executions, and has a heap of its own: what it
// allocates must make no system call that would be taken for the program's. Not under a debugger,
// where each fiber has a kernel thread of its own.
void WatchSystemCalls();

// Is `pc` in the C library or the loader?
bool InCLibrary(uintptr_t pc);
bool InLoader(uintptr_t pc);

// The kernel's handler for a call that it hands over. May end the execution.
void OnTrappedCall(ucontext_t& context);

// Makes a call that the program asked a hook for by its number, or by a function that changes what
// depends on its arguments. `function` is what the program called, at `pc`. The kernel's answer.
long MakeUnseenCall(long number, const long (&arguments)[6], const char* function, uintptr_t pc);

// The program calls `function`, which a hook makes, and which is no step: noted where other threads
// could tell.
void NoteUnseenCall(long number, const char* function, uintptr_t pc);

// At the end of an execution: what it has left behind.
void ConcludeUnseenCalls();

void RewindMappings();
bool MappingsAreAsAtBegin();

}  // namespace heddle::runtime
