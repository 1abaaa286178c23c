#include "check/data_race.h"

#include <new>

#include "base/check.h"
#include "base/hash.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/page.h"

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

constexpr uint64_t kFullMask = 0xff;
constexpr uintptr_t kAddressEnd = uintptr_t{1} << runtime::kUserAddressBits;

template <typename T>
T* New() {
  return new (g_shadow_bump.Take(sizeof(T))) T();
}

// ---- epochs and histories ----

op::ThreadId ThreadOf(Epoch epoch) { return static_cast<op::ThreadId>((epoch >> 32) - 1); }
uint32_t TickOf(Epoch epoch) { return static_cast<uint32_t>(epoch); }

bool IsShared(History history) { return (history & kSharedBit) != 0; }
trace::Clock& ClockOf(History history) {
  return *reinterpret_cast<trace::Clock*>(history & ~kSharedBit);
}
History Shared(trace::Clock* clock) { return reinterpret_cast<uintptr_t>(clock) | kSharedBit; }

bool Before(Epoch epoch, const trace::Clock& clock) {
  return clock.At(ThreadOf(epoch)) >= TickOf(epoch);
}

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

struct Visit {
  const Accessor& who;
  Epoch epoch;
  uintptr_t granule;  // address
  uint64_t mask;
  bool write;
  AccessMode mode;
  uintptr_t pc;
  bool frees = false;
  bool destroys = false;  // that is how it frees
  bool* used = nullptr;   // of what frees: set if a use is not ordered before it
};

bool IsAtomic(AccessMode mode) { return mode == AccessMode::kSeqCst || mode == AccessMode::kWeak; }
uint64_t FlagsOf(AccessMode mode) {
  return uint64_t{static_cast<uint8_t>(mode)} << kAccessModeShift;
}

bool IsPlain(const Cell& cell) { return AccessModeOf(cell) == AccessMode::kPlain; }
// The cell may be the first of its granule, which lost its bytes to others.
void SetKey(Cell& cell, uint64_t flags, uint64_t mask) {
  const uint64_t freed = IsCurrent(cell) ? cell.key & kFreedBit : 0;
  cell.key = g_shadow.stamp | flags | mask | freed;
}
void SetMask(Cell& cell, uint64_t mask) { cell.key = (cell.key & ~kMaskBits) | mask; }

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

bool ComesBeforeReuse(const Cell& head, const trace::Clock& clock) {
  for (const Cell* cell = head.next; cell != nullptr; cell = cell->next)
    if (AccessModeOf(*cell) == AccessMode::kReused && MaskOf(*cell) != 0)
      return !Before(cell->write, clock);
  return false;
}

// True: it is an access to memory that was given back. That is told, and not that it races with
// whoever did that, or with who has it now.
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

Chunk& ChunkFor(uintptr_t address) {
  Chunk* chunk = ChunkOf(address);
  return chunk != nullptr ? *chunk : *AddChunk(address);
}

// The bytes of the granule at `granule` that [begin, end) covers.
uint64_t Overlap(uintptr_t granule, uintptr_t begin, uintptr_t end) {
  uint64_t mask = kFullMask;
  if (begin > granule) mask &= kFullMask << (begin - granule);
  if (end < granule + kGranule) mask &= kFullMask >> (granule + kGranule - end);
  return mask;
}

uintptr_t Min(uintptr_t a, uintptr_t b) { return a < b ? a : b; }

// The end of [address, address + size), within what shadow memory covers.
uintptr_t EndOf(uintptr_t address, size_t size) {
  if (address >= kAddressEnd) return address;
  return size > kAddressEnd - address ? kAddressEnd : address + size;
}

// True: as VisitGranule, of any.
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

bool VisitRange(const Accessor& who, uintptr_t address, size_t size, bool write, AccessMode mode,
                uintptr_t pc) {
  return VisitRange(Visit{who, EpochOf(who), 0, 0, write, mode, pc}, address, EndOf(address, size));
}

bool PageIsCurrent(uintptr_t address) {
  const Chunk* chunk = ChunkOf(address);
  return chunk != nullptr && chunk->page_serials[PageOf(address)] == CurrentSerial();
}

// Calls visit(begin, end) for each part of [begin, end) that lies in a page accessed in this
// execution, and leave_out(begin, end) for each other part of a page or chunk.
template <typename F, typename G>
void ForPages(uintptr_t begin, uintptr_t end, F visit, G leave_out) {
  while (begin < end) {
    const bool mapped = ChunkOf(begin) != nullptr;
    const uintptr_t step = uintptr_t{1} << (mapped ? kPageShift : kChunkShift);
    const uintptr_t next = Min(end, (begin & ~(step - 1)) + step);
    if (PageIsCurrent(begin)) {
      visit(begin, next);
    } else {
      leave_out(begin, next);
    }
    begin = next;
  }
}

bool HasAtomics(const Cell& head, uint64_t mask) {
  if (!IsCurrent(head)) return false;
  for (const Cell* cell = &head; cell != nullptr; cell = cell->next)
    if (IsAtomic(AccessModeOf(*cell)) && (MaskOf(*cell) & mask) != 0) return true;
  return false;
}

void ForgetGranule(Cell& head, uint64_t mask) {
  head.key &= ~kFreedBit;
  if (mask == kFullMask && !g_accessed_once) {
    head.key = 0;
    return;
  }
  if (!IsCurrent(head)) return;
  for (Cell* cell = &head; cell != nullptr; cell = cell->next)
    SetMask(*cell, MaskOf(*cell) & ~mask);
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

namespace {

// Nobody has accessed what is freed here, so it is enough to note whole pages.
void FreeUnaccessed(const Visit& visit, uintptr_t begin, uintptr_t end) {
  constexpr uintptr_t kPage = uintptr_t{1} << kPageShift;
  const uintptr_t first = Min(end, (begin + kPage - 1) & -kPage);
  const uintptr_t last = end & -kPage;
  VisitRange(visit, begin, first);
  if (first < last) NoteFreedPages(first, last);
  if (first <= last) VisitRange(visit, last, end);
}

}  // namespace

namespace {

Poisoned HashesOf(uintptr_t granule, GivenBack how) {
  const uint64_t word = granule | static_cast<uint64_t>(how);
  return {base::Fold(base::kGolden, word), base::Fold(~base::kGolden, word)};
}

void CountPoisoned(uintptr_t address, uintptr_t end, GivenBack how) {
  for (uintptr_t granule = address & ~uintptr_t{kGranule - 1}; granule < end; granule += kGranule) {
    const bool freed = AnyIsFreed(granule, kGranule);
    if (freed != (how == GivenBack::kFreed)) continue;
    const Poisoned hashes = HashesOf(granule, how);
    g_poisoned.first += hashes.first;
    g_poisoned.second += hashes.second;
  }
}

}  // namespace

bool FreeRange(const Accessor& who, uintptr_t address, size_t size, uintptr_t pc, AccessMode mode,
               GivenBack how, bool again) {
  bool used = false;
  const bool destroys = how == GivenBack::kDestroyed;
  const Visit visit{who, EpochOf(who), 0, 0, true, mode, pc, true, destroys, &used};
  const uintptr_t end = EndOf(address, size);
  const bool any = (g_poisoned.first | g_poisoned.second) != 0;
  if (__builtin_expect(any, 0) || how == GivenBack::kPoisoned) CountPoisoned(address, end, how);
  const uintptr_t middle = Min(end, address + (uintptr_t{1} << kPageShift));
  VisitRange(visit, address, middle);
  ForPages(
      middle, end, [&](uintptr_t from, uintptr_t to) { VisitRange(visit, from, to); },
      [&](uintptr_t from, uintptr_t to) { FreeUnaccessed(visit, from, to); });
  if (again) return used;
  auto* block = New<FreedBlock>();
  *block = {address, end, pc, who.thread, who.tick, how, g_freed};
  g_freed = block;
  return used;
}

bool AnyIsFreed(uintptr_t address, size_t size) {
  const uintptr_t end = EndOf(address, size);
  bool freed = false;
  const auto look = [&freed](uintptr_t from, uintptr_t to) {
    const Chunk& chunk = *ChunkOf(from);
    for (uintptr_t granule = from & ~uintptr_t{kGranule - 1}; granule < to; granule += kGranule) {
      const Cell& head = chunk.cells[GranuleOf(granule)];
      freed |= IsCurrent(head) ? (head.key & kFreedBit) != 0 : IsFreedPage(chunk, granule);
    }
  };
  ForPages(address, end, look, [&freed](uintptr_t from, uintptr_t) {
    const Chunk* chunk = ChunkOf(from);
    freed |= chunk != nullptr && IsFreedPage(*chunk, from);
  });
  return freed;
}

const FreedBlock& FreedBlockAt(uintptr_t address, size_t size) {
  const FreedBlock* block = g_freed;
  while (block != nullptr && (address + size <= block->begin || block->end <= address))
    block = block->next;
  HEDDLE_CHECK(block != nullptr);
  return *block;
}

void ForgetRange(uintptr_t address, size_t size) {
  const uintptr_t end = EndOf(address, size);
  const auto forget = [&](uintptr_t from, uintptr_t to) {
    Chunk& chunk = *ChunkOf(from);
    for (uintptr_t granule = from & ~uintptr_t{kGranule - 1}; granule < to; granule += kGranule) {
      Cell& head = chunk.cells[GranuleOf(granule)];
      const uint64_t mask = Overlap(granule, from, to);
      if (g_forgotten_sink != nullptr && HasAtomics(head, mask))
        g_forgotten_sink(from > granule ? from : granule, Min(to, granule + kGranule));
      ForgetGranule(head, mask);
    }
  };
  ForPages(address, end, forget, [](uintptr_t, uintptr_t) {});
  ForgetFreedPages(address, end);
  for (AllowedRange** link = &g_allowed; *link != nullptr;) {
    AllowedRange* range = *link;
    if (address <= range->begin && range->end <= end)
      *link = range->next;
    else
      link = &range->next;
  }
}

namespace {

// For the granule's mark: one that lost its bytes to others, or a new one.
Cell& CellBehind(Cell& head) {
  for (Cell* cell = head.next; cell != nullptr; cell = cell->next)
    if (MaskOf(*cell) == 0) return *cell;
  Cell* cell = New<Cell>();
  cell->next = head.next;
  head.next = cell;
  return *cell;
}

}  // namespace

void HandOutAgain(const Accessor& who, uintptr_t address, size_t size) {
  ForgetRange(address, size);
  g_any_reused = true;
  const uintptr_t end = EndOf(address, size);
  for (uintptr_t granule = address; granule < end; granule += kGranule) {
    Chunk& chunk = ChunkFor(granule);
    Cell& head = chunk.cells[GranuleOf(granule)];
    if (!IsCurrent(head)) {
      chunk.page_serials[PageOf(granule)] = CurrentSerial();
      NoteAccessed(granule);
      head = {g_shadow.stamp, 0, 0, nullptr};
    }
    Cell& mark = CellBehind(head);
    SetKey(mark, FlagsOf(AccessMode::kReused), kFullMask);
    mark.write = EpochOf(who);
    mark.read = 0;
  }
}

bool ComesBeforeReuse(const Accessor& who, uintptr_t address, size_t size) {
  if (!g_any_reused) return false;
  bool before = false;
  const auto look = [&](uintptr_t from, uintptr_t to) {
    for (uintptr_t granule = from & ~uintptr_t{kGranule - 1}; granule < to; granule += kGranule) {
      const Cell& head = ChunkOf(granule)->cells[GranuleOf(granule)];
      before |= IsCurrent(head) && (head.key & kFreedBit) == 0 && ComesBeforeReuse(head, who.clock);
    }
  };
  ForPages(address, EndOf(address, size), look, [](uintptr_t, uintptr_t) {});
  return before;
}

namespace {

// The page was given back as a whole: from now on each of its granules says so.
void SpellOutFreedPage(const Accessor& who, uintptr_t page) {
  Chunk& chunk = *ChunkOf(page);
  bool used = false;
  Visit visit{who, EpochOf(who), page, kFullMask, true, AccessMode::kPlain, 0, true, false, &used};
  for (; visit.granule < page + (uintptr_t{1} << kPageShift); visit.granule += kGranule)
    if (!IsCurrent(chunk.cells[GranuleOf(visit.granule)])) VisitGranule(chunk, visit);
  ForgetFreedPages(page, page + 1);
}

}  // namespace

bool ReuseRange(const Accessor& who, uintptr_t address, size_t size, uintptr_t pc,
                AccessMode mode) {
  if (!AnyIsFreed(address, size)) return true;
  const FreedBlock& block = FreedBlockAt(address, size);
  if (who.clock.At(block.thread) < block.tick) return false;
  const uintptr_t end = EndOf(address, size);
  constexpr uintptr_t kPage = uintptr_t{1} << kPageShift;
  for (uintptr_t page = address & -kPage; page < end; page += kPage)
    if (ChunkOf(page) != nullptr && IsFreedPage(*ChunkOf(page), page)) SpellOutFreedPage(who, page);
  Visit visit{who, EpochOf(who), 0, kFullMask, true, mode, pc};
  for (visit.granule = address & ~uintptr_t{kGranule - 1}; visit.granule < end;
       visit.granule += kGranule) {
    Chunk& chunk = ChunkFor(visit.granule);
    const Cell& head = chunk.cells[GranuleOf(visit.granule)];
    if (!IsCurrent(head) || (head.key & kFreedBit) == 0) continue;
    ForgetRange(visit.granule, kGranule);
    const Poisoned hashes = HashesOf(visit.granule, GivenBack::kPoisoned);
    g_poisoned.first -= hashes.first;
    g_poisoned.second -= hashes.second;
    VisitGranule(chunk, visit);
  }
  return true;
}

namespace {

void Allow(uintptr_t address, size_t size, bool told_otherwise) {
  auto* range = New<AllowedRange>();
  *range = {address, EndOf(address, size), told_otherwise, g_allowed};
  g_allowed = range;
}

}  // namespace

void AllowRaces(uintptr_t address, size_t size) { Allow(address, size, false); }
void TellRacesOtherwise(uintptr_t address, size_t size) { Allow(address, size, true); }

}  // namespace heddle::check
