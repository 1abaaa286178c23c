// Data races: two accesses of the same byte by different threads, at least one a write, at least
// one not atomic, and neither ordered before the other by synchronisation.
//
// FastTrack (PLDI'09) on bytes. A granule of 8 bytes (shadow.h) holds a chain of cells, each about
// a set of its bytes: the last plain write as one epoch, and the plain reads since then as one
// epoch, or as a vector clock once two concurrent threads have read. Bytes that were always
// accessed together share a cell; an access to a part of them splits it, and cells that an access
// made equal are merged. So neighbours in one word never race with each other, and nothing is ever
// dropped. Accesses of other modes have cells of their own in the chain, which keep the last
// access of every thread. Atomic ones never race with each other, but are checked against the plain
// ones, and plain ones against them. Plain accesses that are visible (they race, and are scheduling
// points therefore) race like others; they are kept apart so that a race with one that is not
// visible yet cannot hide behind them.
//
// Two atomic accesses that conflict and are not ordered are no race. But if one of them is not
// seq_cst, weak memory may show them in another order (docs/claims.md): such *weak pairs* go to a
// sink of their own while somebody asks for them.
//
// The check knows nothing of the runtime: threads are numbers with clocks, races go to a sink.
// Found races are exact (no false alarm); of the races on one byte at least the first in the
// execution is found.
#pragma once

#include <cstddef>
#include <cstdint>

#include "check/shadow.h"
#include "op/operation.h"
#include "runtime/prim/page.h"
#include "trace/clock.h"
#include "trace/race.h"

namespace heddle::check {

// Who accesses. REQUIRES: clock.At(thread) == tick, tick >= 1, thread < 2^31 - 1.
struct Accessor {
  op::ThreadId thread;
  uint32_t tick;
  const trace::Clock& clock;
};

using trace::Race;

// Called for every race; need not return. One access may be in several.
extern void (*g_race_sink)(const Race&);

// The same for weak pairs. Set and cleared with WatchWeakPairs.
void WatchWeakPairs(void (*sink)(const Race&));

// A plain access: any range, any alignment. True, here and below: the memory was given back, which
// is told in place of the race with whoever did that.
bool AccessRange(const Accessor& who, uintptr_t address, size_t size, bool write, uintptr_t pc);

// A plain access that is not known to be a repeated one (below). REQUIRES: the bytes lie in one
// granule.
bool AccessGranule(const Accessor& who, uintptr_t address, unsigned size, bool write, uintptr_t pc);

inline Epoch EpochOf(const Accessor& who) { return (Epoch{who.thread} + 1) << 32 | who.tick; }

// The same thread did the same to just these bytes since its last release. Whoever came in between
// and races with this access raced with that one, too.
inline bool IsRepeated(const Cell& cell, uint64_t mask, Epoch epoch, bool write) {
  return cell.key == (g_shadow.stamp | mask) &&
         (cell.write == epoch || (!write && cell.read == epoch));
}

// The same of a plain access of 1 to 16 bytes. Nearly all are repeated ones. False: it may be one.
inline bool IsRepeatedAccess(const Accessor& who, uintptr_t address, unsigned size, bool write) {
  const unsigned offset = address % kGranule;
  if (__builtin_expect(offset + size > kGranule || address >> runtime::kUserAddressBits != 0, 0))
    return false;
  const Chunk* chunk = ChunkOf(address);
  if (__builtin_expect(chunk == nullptr, 0)) return false;
  const uint64_t mask = ((uint64_t{1} << size) - 1) << offset;
  return IsRepeated(chunk->cells[GranuleOf(address)], mask, EpochOf(who), write);
}

// One of 1 to 16 bytes that is no repeated one, as far as that tells.
inline bool NewAccess(const Accessor& who, uintptr_t address, unsigned size, bool write,
                      uintptr_t pc) {
  const bool one = address % kGranule + size <= kGranule;
  if (__builtin_expect(!one || address >> runtime::kUserAddressBits != 0, 0))
    return AccessRange(who, address, size, write, pc);
  return AccessGranule(who, address, size, write, pc);
}

// A plain access of 1 to 16 bytes.
inline bool Access(const Accessor& who, uintptr_t address, unsigned size, bool write,
                   uintptr_t pc) {
  if (__builtin_expect(IsRepeatedAccess(who, address, size, write), 1)) return false;
  return NewAccess(who, address, size, write, pc);
}

// An atomic access of 1 to 16 bytes; a read-modify-write is a write. REQUIRES: called after the
// acquire part of the operation and before its release part.
bool AtomicAccess(const Accessor& who, uintptr_t address, unsigned size, bool write, uintptr_t pc,
                  AccessMode mode = AccessMode::kSeqCst);

// An operation on the synchronisation object at `address`. It races with nothing but a free.
// REQUIRES: as above.
bool UseObject(const Accessor& who, uintptr_t address, uintptr_t pc);

// A plain access that is a scheduling point. Any range.
bool VisibleAccess(const Accessor& who, uintptr_t address, size_t size, bool write, uintptr_t pc);

// The memory is given back: counts as a write by the thread, so that an unordered access before is
// a race. Beyond the first page, pages that nobody accessed in this execution are left out: freeing
// costs what was used. True: an operation on a synchronisation object there is not ordered before
// it. `again`: it was freed already, and who did that first stays the one who did (FreedBlockAt).
bool FreeRange(const Accessor& who, uintptr_t address, size_t size, uintptr_t pc,
               AccessMode mode = AccessMode::kPlain, GivenBack how = GivenBack::kFreed,
               bool again = false);

// Were any of these bytes given back? For accesses that are not compared with others.
bool AnyIsFreed(uintptr_t address, size_t size);
// Is anything remembered of its page? If not, it was not given back. Costs two loads.
inline bool MayBeFreed(uintptr_t address) {
  if (address >> runtime::kUserAddressBits != 0) return false;
  const Chunk* chunk = ChunkOf(address);
  if (chunk == nullptr) return false;
  return chunk->page_serials[PageOf(address)] == CurrentSerial() || IsFreedPage(*chunk, address);
}
// As AnyIsFreed, of an access of 1 to 16 bytes; nearly all end in MayBeFreed.
inline bool IsFreed(uintptr_t address, size_t size) {
  const bool may_be = MayBeFreed(address) || MayBeFreed(address + size - 1);
  return __builtin_expect(may_be, 0) && AnyIsFreed(address, size);
}

// Who gave any of these bytes back. REQUIRES: somebody did, and they are not new since.
const FreedBlock& FreedBlockAt(uintptr_t address, size_t size);

// The memory is new: whatever was accessed there before was another object.
void ForgetRange(uintptr_t address, size_t size);

// Freed memory is handed out again to the thread: new, as ForgetRange has it, but whoever accesses
// it without being ordered behind this accesses what was freed. So a free is not forgotten with its
// memory. REQUIRES: whole granules.
void HandOutAgain(const Accessor& who, uintptr_t address, size_t size);
// Does `who` come to bytes there whose last free and reuse are not ordered before?
bool ComesBeforeReuse(const Accessor& who, uintptr_t address, size_t size);

// What of this memory was given back, in whole granules, is new, and counts as written by the
// thread: who accesses it before or after that must be ordered with it. The rest stays as it was.
// False: nothing orders the thread behind who gave it back last, and nothing is changed.
bool ReuseRange(const Accessor& who, uintptr_t address, size_t size, uintptr_t pc,
                AccessMode mode = AccessMode::kPlain);

// Called for each granule of which ForgetRange forgets atomic accesses, with the bytes of it that
// are new: what they released was released by another object.
extern void (*g_forgotten_sink)(uintptr_t begin, uintptr_t end);

// Races on these bytes are intended, for the rest of the execution: Race::allowed.
void AllowRaces(uintptr_t address, size_t size);
// Races on these bytes are told of by another finding: Race::allowed and Race::told_otherwise.
void TellRacesOtherwise(uintptr_t address, size_t size);

}  // namespace heddle::check
