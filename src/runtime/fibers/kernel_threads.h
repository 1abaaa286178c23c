// Replay under a debugger (Settings::debugger): every fiber runs on a kernel thread of its own, so
// that a debugger shows the program's threads as threads. Still only one runs at a time, and the
// scheduler decides which: a switch wakes the kernel thread of the fiber that goes on, and the one
// that is left sleeps until it is its turn again.
//
//   ordinary                              here
//   one kernel thread, which takes        the kernel thread of a fiber is made when the fiber runs
//   another stack and FS register at      for the first time, on the fiber's stack and TLS block,
//   each switch                           and ends with it. main's fiber and the loop around
//                                         executions share the process's first kernel thread
//
// There is one execution only, so nothing is rewound: no snapshot, no write-protected pages, and a
// SIGSEGV is the program's own. Whoever sleeps has all signals blocked: what comes from outside
// comes to the thread that runs.
#pragma once

#include "runtime/fibers/fiber.h"

namespace heddle::runtime {

// Once, before the pool is made: all of this process's executions are run this way.
void UseKernelThreads();

// Called by the fiber that runs first, on the process's first kernel thread, before it runs.
void BeginOnKernelThreads(const Fiber& main_fiber);

// Lets `to` go on, and sleeps until `from` shall. Does not return if `from` has finished, unless it
// is main's. True: the execution is over, and the caller, main's fiber, shall leave to the loop.
[[nodiscard]] bool HandOver(Fiber& from, Fiber& to);

// The execution is over: the process's first kernel thread shall leave to the loop. Returns only if
// that is the one that runs.
void HandOverToLoop(Fiber& from);

// First thing on a new kernel thread: waits for its turn.
void BeginOnOwnThread(Fiber& self);

// What debuggers call the fiber's kernel thread, in place of "main", "T1", "T1.2".
void NameKernelThread(const Fiber& fiber, const char* name);

// The calling kernel thread has lent its TLS block, and is not needed.
[[noreturn]] void EndParkedThread(int* parked);

}  // namespace heddle::runtime
