// Other processes, and modules that come and go: what rewinding memory cannot undo. An execution
// that wants one of them runs in a process of its own; there the real thing is done.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace heddle::runtime {

// Registers what must happen in a child that the program forks. REQUIRES: before anybody else
// registers something.
void InitProcesses();

// Comes back only if the real call may be made.
void NeedOwnProcess(const char* what);
// The program is about to change something that the state of the program does not show, by which
// the search goes: ends the execution and the search, and names it.
void RefuseWithStates(const char* what);
// The same before a call that makes a process, which inherits all descriptors.
void NeedChildProcess(const char* what);
// The running thread is about to wait for a process: a step, for one thread alone gets what it
// tells. `looks_only`: it does not wait.
void ReachProcessWait(bool looks_only, uintptr_t pc);
// Has the program made one in this execution?
bool HasChildProcesses();

// In a child that the program made: heddle leaves it alone from here on.
void BecomeOrdinaryProcess();

// The same numbers in every run, unless real processes look at them. The numbers are above what the
// kernel gives out, so that nobody else can be meant.
pid_t ProcessNumber();
pid_t ThreadNumber();
// Does `process` name the program's own process?
bool IsThisProcess(pid_t process);
// `thread` as the kernel knows it: 0, the calling one, for those of the program.
pid_t KernelNumber(pid_t thread);

}  // namespace heddle::runtime
