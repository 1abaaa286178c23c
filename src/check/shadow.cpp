#include "check/shadow.h"

#include "base/check.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/page.h"

namespace heddle::check {

[[HEDDLE_LASTS("the memory lasts, what is in it has stamps")]] Shadow g_shadow;
[[HEDDLE_OF_EXECUTION]] trace::Bump g_shadow_bump;
[[HEDDLE_OF_EXECUTION]] bool g_accessed_once;
[[HEDDLE_OF_EXECUTION]] AllowedRange* g_allowed;
[[HEDDLE_OF_EXECUTION]] FreedBlock* g_freed;
[[HEDDLE_OF_EXECUTION]] bool g_any_reused;
[[HEDDLE_OF_EXECUTION]] Poisoned g_poisoned;
[[HEDDLE_LASTS("the memory lasts, how much of it counts does not")]] uintptr_t* g_accessed;
[[HEDDLE_OF_EXECUTION]] size_t g_accessed_count;

namespace {

constexpr uintptr_t kPage = uintptr_t{1} << kPageShift;
constexpr size_t kRootEntries = size_t{1} << (runtime::kUserAddressBits - kChunkShift);
constexpr size_t kBumpBytes = size_t{16} << 30;       // address space; what one execution may use
constexpr size_t kAccessedBytes = size_t{16} << 30;   // address space, too
constexpr size_t kFreedPagesBytes = size_t{1} << 30;  // and here
constexpr size_t kBumpKept = size_t{64} << 20;        // memory kept for the next execution

[[HEDDLE_LASTS("set once")]] Pages pages_source;
[[HEDDLE_LASTS("as g_accessed")]] uintptr_t* freed_pages;
[[HEDDLE_OF_EXECUTION]] size_t freed_page_count;
// Range of the root that is in use.
[[HEDDLE_LASTS("chunks last")]] size_t first_chunk = kRootEntries;
[[HEDDLE_LASTS("chunks last")]] size_t last_chunk = 0;

// The serial does not fit any more: makes old stamps unrecognisable by erasing them. Once in 2^32
// executions.
void EraseStamps() {
  for (size_t i = first_chunk; i <= last_chunk; ++i)
    if (g_shadow.root[i] != nullptr) pages_source.discard(g_shadow.root[i], sizeof(Chunk));
}

void TakeNewSerial() {
  uint32_t serial = CurrentSerial() + 1;
  if (serial == 0) {
    EraseStamps();
    serial = 1;
  }
  g_shadow.stamp = uint64_t{serial} << 32;
}

// The cell, and those that hang on it, count again.
void Renew(Cell* cell) {
  constexpr uint64_t kRest = 0xffffffff;
  for (; cell != nullptr; cell = cell->next) cell->key = g_shadow.stamp | (cell->key & kRest);
}

uint32_t& FreedSerialOf(uintptr_t page) { return ChunkOf(page)->freed_serials[PageOf(page)]; }

Cell& FirstCell(uintptr_t granule) { return ChunkOf(granule)->cells[GranuleOf(granule)]; }

}  // namespace

void SetUpShadow(const Pages& pages) {
  HEDDLE_CHECK(g_shadow.root == nullptr);
  pages_source = pages;
  g_shadow.root = static_cast<Chunk**>(pages.map(kRootEntries * sizeof(Chunk*)));
  char* begin = static_cast<char*>(pages.map(kBumpBytes));
  g_shadow_bump = {begin, begin, begin + kBumpBytes};
  g_accessed = static_cast<uintptr_t*>(pages.map(kAccessedBytes));
  freed_pages = static_cast<uintptr_t*>(pages.map(kFreedPagesBytes));
}

void BeginExecution() {
  HEDDLE_CHECK(g_shadow.root != nullptr);
  trace::Bump& bump = g_shadow_bump;
  const auto used = static_cast<size_t>(bump.cursor - bump.begin);
  if (used > kBumpKept) pages_source.discard(bump.begin + kBumpKept, used - kBumpKept);
  bump.Reset();
  g_allowed = nullptr;
  g_freed = nullptr;
  g_any_reused = false;
  freed_page_count = 0;
  g_accessed_count = 0;
  TakeNewSerial();
}

void NoteAccessed(uintptr_t granule) {
  HEDDLE_CHECK(g_accessed_count < kAccessedBytes / sizeof *g_accessed);
  g_accessed[g_accessed_count++] = granule;
}

void NoteFreedPages(uintptr_t begin, uintptr_t end) {
  for (uintptr_t page = begin; page < end; page += kPage) {
    if (ChunkOf(page) == nullptr) AddChunk(page);
    if (FreedSerialOf(page) == CurrentSerial()) continue;
    HEDDLE_CHECK(freed_page_count < kFreedPagesBytes / sizeof *freed_pages);
    freed_pages[freed_page_count++] = page;
    FreedSerialOf(page) = CurrentSerial();
  }
}

void ForgetFreedPages(uintptr_t begin, uintptr_t end) {
  if (freed_page_count == 0) return;
  for (uintptr_t page = begin & -kPage; page < end; page += kPage)
    if (ChunkOf(page) != nullptr) FreedSerialOf(page) = 0;
}

void SaveAccesses(base::SavedBytes& to) {
  const trace::Bump& bump = g_shadow_bump;
  to.Put(bump.begin, static_cast<size_t>(bump.cursor - bump.begin));
  to.Put(g_accessed, g_accessed_count);
  for (size_t i = 0; i < g_accessed_count; ++i) to.Put(FirstCell(g_accessed[i]));
  to.Put(g_shadow.stamp);
  size_t freed = 0;  // those not forgotten
  for (size_t i = 0; i < freed_page_count; ++i)
    if (FreedSerialOf(freed_pages[i]) == CurrentSerial()) freed_pages[freed++] = freed_pages[i];
  freed_page_count = freed;
  to.Put(freed_page_count);
  to.Put(freed_pages, freed_page_count);
}

void RestoreAccesses(base::SavedBytesReader& from) {
  from.Get(g_shadow_bump.begin, static_cast<size_t>(g_shadow_bump.cursor - g_shadow_bump.begin));
  from.Get(g_accessed, g_accessed_count);
  for (size_t i = 0; i < g_accessed_count; ++i) FirstCell(g_accessed[i]) = from.Get<Cell>();
  const auto old_stamp = from.Get<uint64_t>();
  TakeNewSerial();
  for (size_t i = 0; i < g_accessed_count; ++i) {
    Cell& cell = FirstCell(g_accessed[i]);
    if (cell.key >> 32 != old_stamp >> 32) continue;  // forgotten, or renewed already
    Renew(&cell);
    ChunkOf(g_accessed[i])->page_serials[PageOf(g_accessed[i])] = CurrentSerial();
  }
  freed_page_count = from.Get<size_t>();
  from.Get(freed_pages, freed_page_count);
  for (size_t i = 0; i < freed_page_count; ++i) FreedSerialOf(freed_pages[i]) = CurrentSerial();
}

Chunk* AddChunk(uintptr_t address) {
  const size_t index = address >> kChunkShift;
  HEDDLE_CHECK(index < kRootEntries && g_shadow.root[index] == nullptr);
  auto* chunk = static_cast<Chunk*>(pages_source.map(sizeof(Chunk)));
  g_shadow.root[index] = chunk;
  if (index < first_chunk) first_chunk = index;
  if (index > last_chunk) last_chunk = index;
  return chunk;
}

}  // namespace heddle::check
