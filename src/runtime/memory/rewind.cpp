#include "runtime/memory/rewind.h"

#include <algorithm>

#include "runtime/memory/memory_hash.h"
#include "runtime/memory/pages.h"
#include "runtime/memory/process_memory.h"
#include "runtime/memory/program_heap.h"
#include "runtime/memory/snapshot.h"
#include "runtime/prim/lifetime.h"

namespace heddle::runtime {

[[HEDDLE_LASTS("what executions begin with")]] constinit Snapshot g_snapshot;

namespace {

// In what is saved.
struct Range {
  uintptr_t begin = 0;
  size_t bytes = 0;
};

struct Extra {
  uintptr_t begin;
  uintptr_t end;
};
constexpr unsigned kMaxExtras = 1u << 20;  // address space only, until it is used
[[HEDDLE_LASTS("as above")]] constinit Extra* g_extras = nullptr;
[[HEDDLE_LASTS("as above")]] constinit unsigned g_extra_count = 0;

// Most of a page that was written is as before: what differs is put in by runs of lines.
void SaveDifferent(const char* begin, const char* kept, size_t bytes, base::SavedBytes& to) {
  const auto differs = [&](size_t at) {
    const size_t line = std::min(kLineBytes, bytes - at);
    return line < kLineBytes || !SameLine(begin + at, kept + at);
  };
  for (size_t at = 0; at < bytes;) {
    if (!differs(at)) {
      at += kLineBytes;
      continue;
    }
    size_t end = at + kLineBytes;
    while (end < bytes && differs(end)) end += kLineBytes;
    end = std::min(end, bytes);
    to.Put(Range{reinterpret_cast<uintptr_t>(begin + at), end - at});
    to.Put(begin + at, end - at);
    at = end;
  }
}

}  // namespace

void AddRegion(uintptr_t begin, uintptr_t end) {
  if (g_extras == nullptr) {
    g_extras = static_cast<Extra*>(ReserveMemory(kMaxExtras * sizeof(Extra)));
  }
  HEDDLE_CHECK(g_extra_count < kMaxExtras);
  g_extras[g_extra_count++] = {begin, end};
}

namespace {

void AddToSnapshot(const Extra& extra) {
  const uintptr_t first = RoundUp(extra.begin, kPageBytes);
  const uintptr_t last = RoundDown(extra.end, kPageBytes);
  if (first >= last) {
    g_snapshot.AddAlwaysHot(extra.begin, extra.end);
    return;
  }
  g_snapshot.AddAlwaysHot(extra.begin, first);
  g_snapshot.AddPages(first, last, PROT_READ | PROT_WRITE);
  g_snapshot.AddAlwaysHot(last, extra.end);
}

}  // namespace

void TakeSnapshot() {
  AddModules(g_snapshot);
  AddBreak(g_snapshot);
  AddStreamBuffers(g_snapshot);
  g_program_heap.Mark();
  g_program_heap.VisitMarked([](ProgramHeap::Range range) {
    g_snapshot.AddPages(range.begin, range.end, PROT_READ | PROT_WRITE);
  });
  for (unsigned i = 0; i < g_extra_count; ++i) AddToSnapshot(g_extras[i]);
  g_snapshot.Take();
  ForgetMemoryHashes();
}

void RewindMemory() {
  g_snapshot.Rewind();
  g_program_heap.Rewind();
}

void DropSnapshot() {
  g_snapshot.Drop();
  g_program_heap.Rewind();
}

bool MemoryCanBeSaved() { return g_program_heap.CanBeSaved(); }

void SaveMemory(base::SavedBytes& to) {
  g_snapshot.VisitHot([&](const char* begin, const char* kept, size_t bytes) {
    SaveDifferent(begin, kept, bytes, to);
  });
  to.Put(Range{});
  g_program_heap.Save(to);
}

void RestoreMemory(base::SavedBytesReader& from) {
  for (Range range; (range = from.Get<Range>()).bytes != 0;) {
    g_snapshot.MakeWritable(range.begin, range.bytes);  // it may have cooled since
    from.Get(reinterpret_cast<char*>(range.begin), range.bytes);
  }
  g_program_heap.Restore(from);
}

bool HandleWriteFault(uintptr_t address) { return g_snapshot.HandleWriteFault(address); }

void MakeWritable(const void* begin, size_t bytes) {
  g_snapshot.MakeWritable(reinterpret_cast<uintptr_t>(begin), bytes);
}

uint64_t HashOfSnapshot() { return g_snapshot.HashOfHot(); }
bool HasSnapshot() { return g_snapshot.IsTaken(); }
bool IsOfSnapshot(uintptr_t address) { return g_snapshot.MayBeHot(address); }

RewindStatistics GetRewindStatistics() { return {g_snapshot.Rewinds(), g_snapshot.HotPages()}; }

}  // namespace heddle::runtime
