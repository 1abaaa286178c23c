#include "check/shadow.h"

#include "base/check.h"
#include "runtime/prim/page.h"

namespace heddle::check {

Shadow g_shadow;

namespace {

constexpr size_t kRootEntries = size_t{1} << (runtime::kUserAddressBits - kChunkShift);
constexpr size_t kBumpBytes = size_t{16} << 30;  // address space; what one execution may use
constexpr size_t kBumpKept = size_t{64} << 20;   // memory kept for the next execution

Pages pages_source;
size_t first_chunk = kRootEntries;  // range of the root that is in use
size_t last_chunk = 0;

// The serial does not fit any more: makes old stamps unrecognisable by erasing them. Once in 2^32
// executions.
void EraseStamps() {
  for (size_t i = first_chunk; i <= last_chunk; ++i)
    if (g_shadow.root[i] != nullptr) pages_source.discard(g_shadow.root[i], sizeof(Chunk));
}

}  // namespace

void SetUpShadow(const Pages& pages) {
  HEDDLE_CHECK(g_shadow.root == nullptr);
  pages_source = pages;
  g_shadow.root = static_cast<Chunk**>(pages.map(kRootEntries * sizeof(Chunk*)));
  char* begin = static_cast<char*>(pages.map(kBumpBytes));
  g_shadow.bump = {begin, begin, begin + kBumpBytes};
}

void BeginExecution() {
  HEDDLE_CHECK(g_shadow.root != nullptr);
  trace::Bump& bump = g_shadow.bump;
  const auto used = static_cast<size_t>(bump.cursor - bump.begin);
  if (used > kBumpKept) pages_source.discard(bump.begin + kBumpKept, used - kBumpKept);
  bump.Reset();
  uint32_t serial = CurrentSerial() + 1;
  if (serial == 0) {
    EraseStamps();
    serial = 1;
  }
  g_shadow.stamp = uint64_t{serial} << 32;
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
