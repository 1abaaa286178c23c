// How an execution is undone: by rewinding memory, or by having run in a child process.
#pragma once

namespace heddle::runtime {

// True when this execution runs in a process of its own: whatever it does ends with it.
bool RewindsByFork();

// The program is about to do what rewinding memory cannot undo; `why` names it. Ends the execution
// as kRestart, to be run again in a process of its own. REQUIRES: InExecution(), !RewindsByFork().
[[noreturn]] void RequestForkRewind(const char* why);

// The program mapped writable memory before main, which no snapshot has. `shared`: with other
// processes, so that a process of its own does not undo what an execution writes there.
void NoteMappedBeforeMain(bool shared);
bool MappedBeforeMain();
bool SharesBeforeMain();

// Executions run in child processes from now on.
void RewindByFork();

// The child process that runs an execution now; 0: none. The hang signal is passed on to it.
void SetForkedExecution(long child);
long ForkedExecution();

}  // namespace heddle::runtime
