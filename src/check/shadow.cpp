#include "check/shadow.h"

#include "base/check.h"
#include "runtime/prim/lifetime.h"
#include "runtime/prim/page.h"

namespace heddle::check {

[[HEDDLE_LASTS("the memory lasts, what is in it has stamps")]] Shadow g_shadow;
[[HEDDLE_OF_EXECUTION]] trace::Bump g_shadow_bump;
[[HEDDLE_OF_EXECUTION]] AllowedRange* g_allowed;

namespace {

constexpr size_t kRootEntries = size_t{1} << (runtime::kUserAddressBits - kChunkShift);
constexpr size_t kBumpBytes = size_t{16} << 30;  // address space; what one execution may use
constexpr size_t kBumpKept = size_t{64} << 20;   // memory kept for the next execution

[[HEDDLE_LASTS("set once")]] Pages pages_source;
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

constexpr size_t kPageGranules = kChunkGranules / kChunkPages;
constexpr uint64_t kNoPage = ~uint64_t{0};
Cell* CellsOf(Chunk& chunk, size_t page) { return chunk.cells + page * kPageGranules; }

// The cells of a page, and those that hang on them, count again.
void Renew(Cell* cells, uint64_t old_stamp) {
  constexpr uint64_t kRest = 0xffffffff;
  for (Cell* first = cells; first != cells + kPageGranules; ++first) {
    if (first->key >> 32 != old_stamp >> 32) continue;
    for (Cell* cell = first; cell != nullptr; cell = cell->next)
      cell->key = g_shadow.stamp | (cell->key & kRest);
  }
}

}  // namespace

void SetUpShadow(const Pages& pages) {
  HEDDLE_CHECK(g_shadow.root == nullptr);
  pages_source = pages;
  g_shadow.root = static_cast<Chunk**>(pages.map(kRootEntries * sizeof(Chunk*)));
  char* begin = static_cast<char*>(pages.map(kBumpBytes));
  g_shadow_bump = {begin, begin, begin + kBumpBytes};
}

void BeginExecution() {
  HEDDLE_CHECK(g_shadow.root != nullptr);
  trace::Bump& bump = g_shadow_bump;
  const auto used = static_cast<size_t>(bump.cursor - bump.begin);
  if (used > kBumpKept) pages_source.discard(bump.begin + kBumpKept, used - kBumpKept);
  bump.Reset();
  g_allowed = nullptr;
  TakeNewSerial();
}

void SaveAccesses(base::SavedBytes& to) {
  const trace::Bump& bump = g_shadow_bump;
  to.Put(g_shadow.stamp);
  to.Put(bump.begin, static_cast<size_t>(bump.cursor - bump.begin));
  for (size_t i = first_chunk; i <= last_chunk; ++i) {
    Chunk* chunk = g_shadow.root[i];
    for (size_t page = 0; chunk != nullptr && page < kChunkPages; ++page) {
      if (chunk->page_serials[page] != CurrentSerial()) continue;
      to.Put(uint64_t{i} * kChunkPages + page);
      to.Put(CellsOf(*chunk, page), kPageGranules);
    }
  }
  to.Put(kNoPage);
}

void RestoreAccesses(base::SavedBytesReader& from) {
  const auto old_stamp = from.Get<uint64_t>();
  from.Get(g_shadow_bump.begin, static_cast<size_t>(g_shadow_bump.cursor - g_shadow_bump.begin));
  TakeNewSerial();
  for (uint64_t at; (at = from.Get<uint64_t>()) != kNoPage;) {
    Chunk& chunk = *g_shadow.root[at / kChunkPages];
    const size_t page = at % kChunkPages;
    from.Get(CellsOf(chunk, page), kPageGranules);
    Renew(CellsOf(chunk, page), old_stamp);
    chunk.page_serials[page] = CurrentSerial();
  }
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
