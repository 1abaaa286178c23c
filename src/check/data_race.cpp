#include "check/data_race.h"

#include "base/check.h"
#include "check/visit.h"
#include "runtime/prim/lifetime.h"

namespace heddle::check {

[[HEDDLE_LASTS("set once")]] void (*g_race_sink)(const Race&) = nullptr;
[[HEDDLE_LASTS("set once")]] void (*g_forgotten_sink)(uintptr_t begin, uintptr_t end) = nullptr;

namespace {

[[HEDDLE_LASTS("set by the search")]] void (*pair_sink)(const Race&) = nullptr;

// Which modes of two conflicting accesses are compared: bit first * 4 + second. All but two
// atomic ones; of those, while weak pairs are asked for, all but two seq_cst ones. A use is
// compared with what frees only.
constexpr uint16_t kRaces = 0x33ff;
constexpr uint16_t kPairs = 0xc800;
[[HEDDLE_LASTS("set by the search")]] uint16_t compared = kRaces;

// ---- epochs and histories ----

bool IsShared(History history) { return (history & kSharedBit) != 0; }
trace::Clock& ClockOf(History history) {
  return *reinterpret_cast<trace::Clock*>(history & ~kSharedBit);
}
History Shared(trace::Clock* clock) { return reinterpret_cast<uintptr_t>(clock) | kSharedBit; }

// An access in `history` that `clock` does not know of; 0 if there is none.
Epoch FirstUnordered(History history, const trace::Clock& clock) {
  if (history == 0) return 0;
  if (!IsShared(history)) return Before(history, clock) ? 0 : history;
  const trace::Clock& ticks = ClockOf(history);
  for (op::ThreadId thread = 0; thread < ticks.Size(); ++thread)
    if (ticks.At(thread) > clock.At(thread)) return (Epoch{thread} + 1) << 32 | ticks.At(thread);
  return 0;
}

// `history` after one more access. An access that happens before the new one need not be kept:
// whatever the new one is ordered before, it is ordered before, too.
History Extended(History history, const Accessor& who, Epoch epoch) {
  if (IsShared(history)) {
    ClockOf(history).Set(who.thread, who.tick, g_shadow_bump);
    return history;
  }
  if (history == 0 || Before(history, who.clock)) return epoch;
  auto* ticks = New<trace::Clock>();
  ticks->Set(ThreadOf(history), TickOf(history), g_shadow_bump);
  ticks->Set(who.thread, who.tick, g_shadow_bump);
  return Shared(ticks);
}

History Copied(History history) {
  if (!IsShared(history)) return history;
  auto* ticks = New<trace::Clock>();
  ticks->Assign(ClockOf(history), g_shadow_bump);
  return Shared(ticks);
}

// ---- one access to one granule ----

bool IsPlain(const Cell& cell) { return AccessModeOf(cell) == AccessMode::kPlain; }

// Null: it is not.
const AllowedRange* RangeThatAllows(uintptr_t begin, uintptr_t end) {
  for (const AllowedRange* range = g_allowed; range != nullptr; range = range->next)
    if (begin < range->end && range->begin < end) return range;
  return nullptr;
}

// Tells of the race (or weak pair) on the bytes in `mask`, once for each run of them.
[[gnu::cold, gnu::noinline]] void Report(const Visit& visit, uint64_t mask, Epoch first,
                                         bool first_write, AccessMode mode) {
  const bool pair = IsAtomic(mode) && IsAtomic(visit.mode);
  void (*const sink)(const Race&) = pair ? pair_sink : g_race_sink;
  if (sink == nullptr) return;
  while (mask != 0) {
    const auto low = static_cast<unsigned>(__builtin_ctzll(mask));
    const auto length = static_cast<unsigned>(__builtin_ctzll(~(mask >> low)));
    mask &= ~(((uint64_t{1} << length) - 1) << low);
    const uintptr_t begin = visit.granule + low;
    const AllowedRange* range = RangeThatAllows(begin, begin + length);
    sink({.address = begin,
          .size = length,
          .first_thread = ThreadOf(first),
          .first_tick = TickOf(first),
          .first_write = first_write,
          .first_atomic = IsAtomic(mode),
          .first_visible = mode == AccessMode::kVisible,
          .second_thread = visit.who.thread,
          .second_tick = visit.who.tick,
          .second_write = visit.write,
          .second_atomic = IsAtomic(visit.mode),
          .second_frees = visit.frees,
          .second_destroys = visit.destroys,
          .second_pc = visit.pc,
          .allowed = range != nullptr,
          .told_otherwise = range != nullptr && range->told_otherwise});
  }
}

bool IsCompared(AccessMode first, const Visit& visit) {
  if (visit.mode == AccessMode::kUse || first == AccessMode::kReused) return false;
  if (first == AccessMode::kUse) return visit.frees;
  const unsigned bit = static_cast<unsigned>(first) * 4 + static_cast<unsigned>(visit.mode);
  return (compared >> bit & 1) != 0;
}

// Compares the access with what `cell` remembers of the bytes in `mask`, which both are about.
void Compare(const Visit& visit, const Cell& cell, uint64_t mask) {
  const AccessMode mode = AccessModeOf(cell);
  if (Epoch first = FirstUnordered(cell.write, visit.who.clock); first != 0) {
    if (mode == AccessMode::kUse) {
      *visit.used = true;
      return;
    }
    Report(visit, mask, first, true, mode);
  }
  if (!visit.write) return;
  if (Epoch first = FirstUnordered(cell.read, visit.who.clock); first != 0)
    Report(visit, mask, first, false, mode);
}

// The cell is about bytes of this access only: remembers it.
void Remember(const Visit& visit, Cell& cell) {
  if (visit.write) {
    cell.write = visit.epoch;
    cell.read = 0;  // what races with an earlier read races with this write, or this write did
  } else if (cell.write != visit.epoch) {
    cell.read = Extended(cell.read, visit.who, visit.epoch);
  }
}

void Begin(Cell& cell, uint64_t flags, const Visit& visit) {
  SetKey(cell, flags, visit.mask);
  cell.write = visit.write ? visit.epoch : 0;
  cell.read = visit.write ? 0 : visit.epoch;
}

// A further cell for the granule of `head`: one that lost its bytes to others, or a new one.
Cell& FurtherCell(Cell& head) {
  for (Cell* cell = &head; cell != nullptr; cell = cell->next)
    if (MaskOf(*cell) == 0) return *cell;
  Cell* cell = New<Cell>();
  cell->next = head.next;
  head.next = cell;
  return *cell;
}

// Divides a plain cell: `mask` stays, the other bytes move to a further cell with the same state.
void Split(Cell& head, Cell& cell, uint64_t mask) {
  const uint64_t others = MaskOf(cell) & ~mask;
  Cell& other = FurtherCell(head);
  SetKey(other, 0, others);
  other.write = cell.write;
  other.read = Copied(cell.read);
  SetMask(cell, mask);
}

// REQUIRES: the granule has a current first cell.
void VisitPlain(Cell& head, const Visit& visit) {
  // The usual case of what follows.
  if (head.next == nullptr && MaskOf(head) == visit.mask && IsPlain(head)) {
    Compare(visit, head, visit.mask);
    Remember(visit, head);
    return;
  }
  uint64_t rest = visit.mask;  // bytes not met in any plain cell yet
  Cell* merged = nullptr;
  for (Cell* cell = &head; cell != nullptr; cell = cell->next) {
    const uint64_t common = MaskOf(*cell) & visit.mask;
    if (common == 0) continue;
    if (!IsPlain(*cell)) {
      const AccessMode mode = AccessModeOf(*cell);
      if (mode != AccessMode::kReused && (mode != AccessMode::kUse || visit.frees))
        Compare(visit, *cell, common);
      continue;
    }
    if (common != MaskOf(*cell)) Split(head, *cell, common);
    Compare(visit, *cell, common);
    Remember(visit, *cell);
    rest &= ~common;
    if (merged == nullptr) {
      merged = cell;
    } else if (cell->write == merged->write && cell->read == merged->read &&
               !IsShared(cell->read)) {
      SetMask(*merged, MaskOf(*merged) | common);
      SetMask(*cell, 0);
    }
  }
  if (rest == 0) return;
  if (merged != nullptr && visit.write) {
    SetMask(*merged, visit.mask);
    return;
  }
  Visit remaining = visit;
  remaining.mask = rest;
  Begin(FurtherCell(head), 0, remaining);
}

// The same when a further cell of the granule may be about just these bytes (two fields of one
// word, for example).
bool IsRepeatedInChain(const Cell& head, const Visit& visit) {
  for (const Cell* cell = &head; cell != nullptr; cell = cell->next)
    if (IsRepeated(*cell, visit.mask, visit.epoch, visit.write)) return true;
  return false;
}

// Two seq_cst accesses of different size: no language has a word for what they do under weak
// memory, so they count as a weak pair.
bool AreMixed(const Visit& visit, const Cell& cell) {
  return pair_sink != nullptr && visit.mode == AccessMode::kSeqCst &&
         AccessModeOf(cell) == AccessMode::kSeqCst && MaskOf(cell) != visit.mask;
}

// An access that is not plain. REQUIRES: the granule has a current first cell.
void VisitKept(Cell& head, const Visit& visit) {
  Cell* own = nullptr;
  for (Cell* cell = &head; cell != nullptr; cell = cell->next) {
    const uint64_t common = MaskOf(*cell) & visit.mask;
    if (common == 0) continue;
    if (AccessModeOf(*cell) == visit.mode && MaskOf(*cell) == visit.mask) own = cell;
    if (IsCompared(AccessModeOf(*cell), visit) || __builtin_expect(AreMixed(visit, *cell), 0))
      Compare(visit, *cell, common);
  }
  if (own == nullptr) {
    Begin(FurtherCell(head), FlagsOf(visit.mode), visit);
  } else {
    History& history = visit.write ? own->write : own->read;
    history = Extended(history, visit.who, visit.epoch);
  }
}

}  // namespace

bool VisitGranule(Chunk& chunk, const Visit& visit) {
  Cell& head = chunk.cells[GranuleOf(visit.granule)];
  bool freed = false;
  if (!IsCurrent(head)) {
    chunk.page_serials[PageOf(visit.granule)] = CurrentSerial();
    NoteAccessed(visit.granule);
    head.next = nullptr;
    Begin(head, FlagsOf(visit.mode), visit);
    freed = IsFreedPage(chunk, visit.granule);
    if (freed) head.key |= kFreedBit;
  } else if ((head.key & kFreedBit) != 0 && !visit.frees) {
    freed = true;
  } else if (__builtin_expect(g_any_reused, 0) && !visit.frees &&
             ComesBeforeReuse(head, visit.who.clock)) {
    freed = true;
  } else if (visit.mode != AccessMode::kPlain) {
    VisitKept(head, visit);
  } else if (!IsRepeatedInChain(head, visit)) {
    VisitPlain(head, visit);
  }
  if (__builtin_expect(visit.frees, 0)) head.key |= kFreedBit;
  return freed;
}

bool VisitRange(Visit visit, uintptr_t begin, uintptr_t end) {
  if (begin >= end) return false;  // no bytes, or wild: the program will crash on it by itself
  HEDDLE_CHECK(visit.who.tick != 0);
  bool freed = false;
  for (visit.granule = begin & ~uintptr_t{kGranule - 1}; visit.granule < end;
       visit.granule += kGranule) {
    visit.mask = Overlap(visit.granule, begin, end);
    freed |= VisitGranule(ChunkFor(visit.granule), visit);
  }
  return freed;
}

namespace {

bool VisitRange(const Accessor& who, uintptr_t address, size_t size, bool write, AccessMode mode,
                uintptr_t pc) {
  return VisitRange(Visit{who, EpochOf(who), 0, 0, write, mode, pc}, address, EndOf(address, size));
}

}  // namespace

bool AccessGranule(const Accessor& who, uintptr_t address, unsigned size, bool write,
                   uintptr_t pc) {
  HEDDLE_CHECK(who.tick != 0);
  const unsigned offset = address % kGranule;
  return VisitGranule(ChunkFor(address),
                      {who, EpochOf(who), address - offset, ((uint64_t{1} << size) - 1) << offset,
                       write, AccessMode::kPlain, pc});
}

bool AccessRange(const Accessor& who, uintptr_t address, size_t size, bool write, uintptr_t pc) {
  return VisitRange(who, address, size, write, AccessMode::kPlain, pc);
}

bool VisibleAccess(const Accessor& who, uintptr_t address, size_t size, bool write, uintptr_t pc) {
  return VisitRange(who, address, size, write, AccessMode::kVisible, pc);
}

bool AtomicAccess(const Accessor& who, uintptr_t address, unsigned size, bool write, uintptr_t pc,
                  AccessMode mode) {
  return VisitRange(who, address, size, write, mode, pc);
}

bool UseObject(const Accessor& who, uintptr_t address, uintptr_t pc) {
  return VisitRange(who, address, 1, true, AccessMode::kUse, pc);
}

void WatchWeakPairs(void (*sink)(const Race&)) {
  pair_sink = sink;
  compared = sink != nullptr ? kRaces | kPairs : kRaces;
}

}  // namespace heddle::check
