// All that belongs to one execution, of heddle's own: forgetting it is one step, and so is saving
// it in the middle of an execution and going back there. What belongs to the program is the
// snapshot's (snapshot.h).
//
// Small variables lie in a section of their own (prim/lifetime.h), a few hundred bytes; to reset it
// is to copy its first contents back. What is large, or of unknown size, is a table. Most tables
// lie in a range of addresses of their own (TableAddress), the same in every process, so pointers
// between them stay good. Only what an execution has used of a table counts, and how much that is
// says a variable of the section, so most tables need no reset of their own. Entries may carry the
// number of their execution instead (g_execution), and count as unused if it is another one.
//
// Part of it is in shared memory: what the loop reads after an execution that ran in a child
// (fibers/trace_buffers.h, races.h, record.h). Each is a table like the others.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/saved_bytes.h"
#include "runtime/prim/page.h"

namespace heddle::runtime {

// Number of the execution in this process, from 1; 0 before the first. To go back to a saved state
// begins a new number, too: what was stamped after the state had been saved must not count.
extern uint64_t g_execution;

struct ExecutionTable {
  // Forgets the execution. Runs before the section is reset, so it knows how much was used. Null:
  // nothing to do.
  void (*reset)();
  void (*save)(base::SavedBytes& to);
  // Runs when the section is restored already: how much was in use is known.
  void (*restore)(base::SavedBytesReader& from);
};
// REQUIRES: not in an execution.
void AddExecutionTable(const ExecutionTable& table);

// An array of which as much is in use as a variable of the section says.
template <auto& kArray, auto& kInUse>
inline constexpr ExecutionTable kArrayTable = {
    .reset = nullptr,
    .save = [](base::SavedBytes& to) { to.Put(kArray, static_cast<size_t>(kInUse)); },
    .restore = [](base::SavedBytesReader& from) { from.Get(kArray, static_cast<size_t>(kInUse)); },
};

// Address space for table `number`; see tables.h for who has which. A constant, so no pointer to it
// has to be loaded. That tables begin at different pages of a large power of two is for the
// first-level cache: AMD's tells lines apart by a hash of address bits 12 to 27, and of two that
// are alike one drives the other out (20 % of a short execution).
inline constexpr uintptr_t kTablesBegin = 0x420000000000;  // above the program's heap
inline constexpr size_t kTableBytes = size_t{64} << 30;
inline constexpr size_t kTablesApart = 37 * kPageBytes;
constexpr uintptr_t TableAddress(unsigned number) {
  return kTablesBegin + number * kTableBytes + (number + 1) * kTablesApart;
}
// Maps `bytes` of it: zero, and costing address space only until touched. REQUIRES: once per table.
void* MapTable(unsigned number, size_t bytes);

// Every execution begins with the section as it is now.
void KeepFirstState();
// The next execution begins. REQUIRES: KeepFirstState.
void ResetExecution();

// Appends to `to`. REQUIRES: called where the execution cannot go on meanwhile: between two events,
// on a stack and with a TLS block that is not saved or will be restored by the caller, as the rest
// of the program's memory.
void SaveExecution(base::SavedBytes& to);
// REQUIRES: saved on the way of the execution that ran last, or of one from which that has gone on:
// of what is only added to, as the trace, it was kept how much there was.
void RestoreExecution(base::SavedBytesReader& from);

}  // namespace heddle::runtime
