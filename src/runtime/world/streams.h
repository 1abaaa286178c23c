// stdio's streams. Each call on one is atomic, and what a thread gets depends on the order, so it
// is a step, but for what is shown (stdout, stderr): that is not read again. Calls on one stream
// are ordered as by a lock, which flockfile takes, too. A program that calls it has lock and all:
// there each call waits for the lock, and printing is a step.
//
// The object is the FILE, and the descriptor's number where it has one (transfer.h).
#pragma once

#include <stdio.h>

#include <cstdint>

namespace heddle::runtime {

// Once, before the first execution: does the program lock streams itself?
void InitStreams();

// Does such a call order itself with others? Those whose name ends in _unlocked do not, and race.
enum class StreamForm : uint8_t { kLocked, kUnlocked };

// A call on `stream`; of null on all (fflush). REQUIRES: InExecution().
void UseStream(FILE* stream, StreamForm form, uintptr_t pc);

// The stream's buffer is about to be written or read: the program may have freed the one that it
// gave to setvbuf. Who uses it is ordered by the stream's own lock, so nothing else is noted of it.
// REQUIRES: InExecution().
void CheckBufferOf(const FILE* stream, uintptr_t pc);
// Is there output in it that was not written to the file?
bool HasOutput(const FILE* stream);

// flockfile and its kin. REQUIRES: InExecution().
void LockStream(FILE* stream, uintptr_t pc);
bool TryLockStream(FILE* stream, uintptr_t pc);
void UnlockStream(FILE* stream, uintptr_t pc);

}  // namespace heddle::runtime
