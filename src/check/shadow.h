// Shadow memory of the data-race check: for every granule of 8 bytes of the program's memory, a
// cell that says who accessed which of its bytes last.
//
//   root   one pointer for each 4 MiB of address space (256 MiB of address space, mostly untouched)
//   chunk  16 MiB of cells, and for each page the last execution that wrote a cell of it
//   cell   32 bytes; the first one of a granule lies in the chunk, others in the execution's memory
//
// Invariants:
//   * A cell counts only if its stamp is that of the execution; otherwise it means "not accessed".
//     So a rewind costs one increment, however much memory was accessed.
//   * page_serials[p] is the serial of the execution whenever a granule of page p has a current
//     cell. So to forget or free a large range costs one comparison for each page not accessed.
//   * Every granule with a current cell is in g_accessed.
//   * The plain cells of a granule have disjoint masks; the others of one mode distinct ones.
//   * A cell of mode kReused is no first cell, and about the whole granule.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/saved_bytes.h"
#include "op/operation.h"
#include "trace/clock.h"

namespace heddle::check {

inline constexpr unsigned kGranule = 8;
inline constexpr unsigned kPageShift = 12;
inline constexpr unsigned kChunkShift = 22;
inline constexpr size_t kChunkGranules = (size_t{1} << kChunkShift) / kGranule;
inline constexpr size_t kChunkPages = size_t{1} << (kChunkShift - kPageShift);

// One access, for the comparison with a vector clock: (thread + 1) << 32 | tick. 0: none.
using Epoch = uint64_t;

// The accesses of one kind that a later access may still race with: none, one epoch, or
// (kSharedBit) a Clock with the last tick of every thread.
using History = uint64_t;
inline constexpr History kSharedBit = uint64_t{1} << 63;

// Cell::key = serial << 32 | flags | mask
inline constexpr uint64_t kMaskBits = 0xff;      // bytes of the granule that the cell is about
inline constexpr unsigned kAccessModeShift = 8;  // three bits: the AccessMode of the accesses
inline constexpr uint64_t kFreedBit = 1 << 11;   // of a first cell: the granule was given back

// How memory is accessed. A cell is about accesses of one mode.
enum class AccessMode : uint8_t {
  kPlain,
  kVisible,  // plain, but a scheduling point because it is known to race
  kSeqCst,   // atomic, memory_order_seq_cst
  kWeak,     // atomic, any other order
  kUse,      // an operation on a synchronisation object: races with nothing but a free
  kReused,   // no access: when freed memory was handed out again
};

struct Cell {
  uint64_t key;
  History write;  // plain: an Epoch
  History read;   // plain: since that write
  Cell* next;     // of the same granule
};
static_assert(sizeof(Cell) == 32);

struct Chunk {
  Cell cells[kChunkGranules];
  uint32_t page_serials[kChunkPages];
  uint32_t freed_serials[kChunkPages];  // likewise, of an execution that gave it back unaccessed
};

// Where shadow memory comes from. `map` answers zeroed memory that costs address space only until
// it is touched; `discard` makes whole pages of it zero again and gives their memory back.
struct Pages {
  void* (*map)(size_t bytes);
  void (*discard)(void* begin, size_t bytes);
};

struct Shadow {
  Chunk** root = nullptr;
  uint64_t stamp = 0;  // serial of the execution << 32
};
extern Shadow g_shadow;

extern trace::Bump g_shadow_bump;  // cells and clocks of the execution

// Where races are no news (AllowRaces, TellRacesOtherwise); in g_shadow_bump.
struct AllowedRange {
  uintptr_t begin, end;
  bool told_otherwise;
  AllowedRange* next;
};
extern AllowedRange* g_allowed;

// REQUIRES: called once, before BeginExecution.
void SetUpShadow(const Pages& pages);

// Forgets every access. Constant cost. REQUIRES: called before the first access of each execution.
void BeginExecution();

// Saves every access of the execution, and goes back to what was saved. The state goes on under
// another serial, so what was accessed since does not count. REQUIRES of RestoreAccesses:
// `g_shadow_bump` is again as it was.
void SaveAccesses(base::SavedBytes& to);
void RestoreAccesses(base::SavedBytesReader& from);

// The granules (their addresses) whose first cell became current in this execution, in that order;
// one that was forgotten and accessed again is there twice. So saving costs what was accessed.
extern uintptr_t* g_accessed;
extern size_t g_accessed_count;
void NoteAccessed(uintptr_t granule);
// Each is there once: one that is forgotten stays current, with no byte that any cell is about. Set
// when an execution begins, for who counts them (known_accesses.h).
extern bool g_accessed_once;

// How memory was given back: to malloc or the kernel, or to an allocator of the program's own,
// which says so (__asan_poison_memory_region); or its static object was destroyed.
enum class GivenBack : uint8_t { kFreed, kPoisoned, kDestroyed };

// A block that was given back, and by whom; in g_shadow_bump. The last one comes first.
struct FreedBlock {
  uintptr_t begin, end;
  uintptr_t pc;
  op::ThreadId thread;
  uint32_t tick;
  GivenBack how;
  FreedBlock* next;
};
extern FreedBlock* g_freed;

// Was freed memory handed out again (HandOutAgain)?
extern bool g_any_reused;

// Which granules are poisoned, as two hashes: a part of the program's state that no memory of the
// program's shows. Sums over the granules. One that is freed while it is poisoned leaves a trace,
// so equal states may have different sums, but not the other way round.
struct Poisoned {
  uint64_t first;
  uint64_t second;
};
extern Poisoned g_poisoned;

// These whole pages, which nobody has accessed, were given back: their cells will say so.
void NoteFreedPages(uintptr_t begin, uintptr_t end);
// Not of those with a byte in [begin, end) any more. What was accessed is not forgotten.
void ForgetFreedPages(uintptr_t begin, uintptr_t end);

// Maps the chunk of `address`. REQUIRES: it is not mapped; address < 2^47.
Chunk* AddChunk(uintptr_t address);

inline Chunk* ChunkOf(uintptr_t address) { return g_shadow.root[address >> kChunkShift]; }
inline size_t GranuleOf(uintptr_t address) { return address / kGranule % kChunkGranules; }
inline size_t PageOf(uintptr_t address) { return (address >> kPageShift) % kChunkPages; }
inline uint64_t MaskOf(const Cell& cell) { return cell.key & kMaskBits; }
inline AccessMode AccessModeOf(const Cell& cell) {
  return static_cast<AccessMode>(cell.key >> kAccessModeShift & 7);
}
inline bool IsCurrent(const Cell& cell) { return cell.key >> 32 == g_shadow.stamp >> 32; }
inline uint32_t CurrentSerial() { return static_cast<uint32_t>(g_shadow.stamp >> 32); }
// The whole page was given back before anybody accessed it.
inline bool IsFreedPage(const Chunk& chunk, uintptr_t address) {
  return chunk.freed_serials[PageOf(address)] == CurrentSerial();
}

}  // namespace heddle::check
