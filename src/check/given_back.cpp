// Memory that is given back, new, or handed out again (data_race.h): what that is for the accesses
// to it before and after.
#include "base/check.h"
#include "base/hash.h"
#include "check/visit.h"

namespace heddle::check {
namespace {

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

// Nobody has accessed what is freed here, so it is enough to note whole pages.
void FreeUnaccessed(const Visit& visit, uintptr_t begin, uintptr_t end) {
  constexpr uintptr_t kPage = uintptr_t{1} << kPageShift;
  const uintptr_t first = Min(end, (begin + kPage - 1) & -kPage);
  const uintptr_t last = end & -kPage;
  VisitRange(visit, begin, first);
  if (first < last) NoteFreedPages(first, last);
  if (first <= last) VisitRange(visit, last, end);
}

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

bool ComesBeforeReuse(const Cell& head, const trace::Clock& clock) {
  for (const Cell* cell = head.next; cell != nullptr; cell = cell->next)
    if (AccessModeOf(*cell) == AccessMode::kReused && MaskOf(*cell) != 0)
      return !Before(cell->write, clock);
  return false;
}

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
