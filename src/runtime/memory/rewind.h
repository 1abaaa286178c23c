// Back to the beginning of the program in about a microsecond: what belongs to the snapshot of a
// whole process, and the heap's part in it. snapshot.h has the mechanism.
//
//   TakeSnapshot();                       once, after the program's constructors
//   loop { run the program; RewindMemory(); }
//
// Part of the snapshot: the writable segments of every module but libheddle (RELRO pages excepted),
// the program's heap up to its mark, the break, and whatever was added: TLS blocks, argv and
// environment. Stacks are not: a stack that matters is rebuilt by whoever starts the thread again.
//
// REQUIRES of all: called on a stack, and with a TLS block, that is not part of the snapshot or is
// always hot.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/saved_bytes.h"
#include "runtime/memory/snapshot.h"

namespace heddle::runtime {

// Extra memory, also for every later snapshot. To the byte: pages that are wholly inside may be
// protected, the bytes on the first and the last page are always hot.
void AddRegion(uintptr_t begin, uintptr_t end);

// Marks the program's heap and keeps the contents of everything above.
void TakeSnapshot();
// ENSURES: the program's memory and heap are as at TakeSnapshot.
void RewindMemory();
// Rewinds and makes everything ordinary memory again; TakeSnapshot may follow.
void DropSnapshot();

// What differs from TakeSnapshot, in the middle of an execution, and the way back to that from
// TakeSnapshot. What is mapped or protected anew is not part of it.
bool MemoryCanBeSaved();
void SaveMemory(base::SavedBytes& to);
// REQUIRES: RewindMemory was called last.
void RestoreMemory(base::SavedBytesReader& from);

// For the handler of SIGSEGV: true when a write to `address` failed only because of the snapshot.
// Try it again.
bool HandleWriteFault(uintptr_t address);
// For hooks of system calls that write to the program's memory.
void MakeWritable(const void* begin, size_t bytes);

// Of the pages that are not as at TakeSnapshot. Another set of pages has another hash.
uint64_t HashOfSnapshot();
// Does HashOfSnapshot show what is written there?
bool IsOfSnapshot(uintptr_t address);

extern Snapshot g_snapshot;
// All memory of the snapshot that may differ from it (Snapshot::VisitHot).
template <typename Visit>
void VisitWritten(Visit visit) {
  g_snapshot.VisitHot(visit);
}
// Is there one? With a process for every execution there is none.
bool HasSnapshot();

struct RewindStatistics {
  uint64_t rewinds;
  uint64_t hot_pages;
};
RewindStatistics GetRewindStatistics();

}  // namespace heddle::runtime
