#include "runtime/memory/memory_hash.h"

#include "base/check.h"
#include "runtime/memory/pages.h"
#include "runtime/memory/process_memory.h"
#include "runtime/memory/program_heap.h"
#include "runtime/memory/rewind.h"
#include "runtime/memory/snapshot.h"
#include "runtime/prim/copy.h"
#include "runtime/prim/lifetime.h"

namespace heddle::runtime {
namespace {

using base::WideHash;

// What is known of a page, or of its first bytes.
struct Hashed {
  uintptr_t page;  // 0: free
  size_t bytes;
  char* copy;     // as it was hashed
  WideHash hash;  // of that; nothing if it was as in the snapshot
};
// Open addressing by page, at most half full. It has as many entries as pages were ever hot, or the
// heap's.
constexpr size_t kSlots = size_t{1} << 20;
[[HEDDLE_LASTS("true of a page while it is as its copy")]] Hashed* hashed;
[[HEDDLE_LASTS("as above")]] char* copies;
[[HEDDLE_LASTS("as above")]] size_t used;

Hashed& Find(uintptr_t page) {
  if (hashed == nullptr) {
    hashed = static_cast<Hashed*>(ReserveMemory(kSlots * sizeof(Hashed)));
    copies = static_cast<char*>(ReserveMemory(kSlots / 2 * kPageBytes));
  }
  size_t at = base::Spread(page) >> 40 & (kSlots - 1);
  while (hashed[at].page != 0 && hashed[at].page != page) at = (at + 1) & (kSlots - 1);
  Hashed& found = hashed[at];
  if (found.page == 0) {
    HEDDLE_CHECK(used < kSlots / 2);
    found = {page, 0, copies + used++ * kPageBytes, {}};
  }
  return found;
}

bool IsSame(const char* a, const char* b, size_t bytes) {
  if (bytes == kPageBytes) return SamePage(a, b);
  size_t at = 0;
  for (; at + 8 <= bytes; at += 8)
    if (LoadAt<uint64_t>(a + at) != LoadAt<uint64_t>(b + at)) return false;
  for (; at < bytes; ++at)
    if (a[at] != b[at]) return false;
  return true;
}

WideHash HashOf(uintptr_t at, const char* bytes, size_t size) {
  WideHash hash;
  hash.Put(at);
  hash.Put(size);
  size_t whole = 0;
  for (; whole + 8 <= size; whole += 8) hash.Put(LoadAt<uint64_t>(bytes + whole));
  for (; whole < size; ++whole) hash.Put(static_cast<unsigned char>(bytes[whole]));
  return hash;
}

// What differs from the snapshot, and how: so what is another value in each process from the start
// (the number of a thread of the kernel, say) is no part of it. Nothing if it is as it was.
WideHash HashOfChanges(uintptr_t at, const char* bytes, const char* snapshot, size_t size) {
  WideHash hash;
  const auto put = [&](size_t offset, uint64_t changed) {
    if (changed == 0) return;
    hash.Put(at + offset);
    hash.Put(changed);
  };
  size_t whole = 0;
  for (; whole + 8 <= size; whole += 8)
    put(whole, LoadAt<uint64_t>(bytes + whole) ^ LoadAt<uint64_t>(snapshot + whole));
  for (; whole < size; ++whole)
    put(whole, static_cast<unsigned char>(bytes[whole] ^ snapshot[whole]));
  return hash;
}

// `snapshot`: what was there then; null: nothing was.
void Add(WideHash& sum, uintptr_t begin, size_t bytes, const char* snapshot) {
  const auto* now = reinterpret_cast<const char*>(begin);
  Hashed& page = Find(begin);
  // Who writes down what is hashed wants to see it.
  if (base::g_transcript != nullptr || page.bytes != bytes || !IsSame(now, page.copy, bytes)) {
    CopyForward(page.copy, now, bytes);
    page.bytes = bytes;
    page.hash = snapshot != nullptr ? HashOfChanges(begin, now, snapshot, bytes)
                                    : HashOf(begin, now, bytes);
  }
  if (!(page.hash == WideHash{})) sum.Sum(page.hash);
}

void AddPages(WideHash& sum, uintptr_t begin, uintptr_t end, const char* snapshot) {
  for (uintptr_t at = begin; at < end;) {
    const uintptr_t next = RoundDown(at, kPageBytes) + kPageBytes;
    const uintptr_t stop = next < end ? next : end;
    Add(sum, at, stop - at, snapshot == nullptr ? nullptr : snapshot + (at - begin));
    at = stop;
  }
}

void AddLargeBlock(WideHash& sum, const LargeBlocks::Block& block, uintptr_t mark) {
  const bool live = block.state == LargeBlocks::State::kLive;
  WideHash hash;
  hash.Put(block.begin);
  hash.Put(live ? block.bytes : 0);
  hash.Put(live ? static_cast<uint64_t>(block.family) : 0);
  sum.Sum(hash);
  // Those below the mark are pages of the snapshot.
  if (live && block.begin >= mark) AddPages(sum, block.begin, block.begin + block.bytes, nullptr);
}

}  // namespace

base::WideHash HashOfMemory() {
  WideHash sum;
  VisitWritten([&](const char* begin, const char* kept, size_t bytes) {
    const auto at = reinterpret_cast<uintptr_t>(begin);
    // What changes there with the program's doing comes with what ends the search (outside.h).
    if (!IsOfDynamicLinker(at)) AddPages(sum, at, at + bytes, kept);
  });
  g_program_heap.VisitFresh(
      [&](ProgramHeap::Range range) {
        WideHash top;
        top.Put(range.begin);
        top.Put(range.end);
        if (range.end != range.begin) sum.Sum(top);
        AddPages(sum, range.begin, range.end, nullptr);
      },
      [&](const LargeBlocks::Block& block, uintptr_t mark) { AddLargeBlock(sum, block, mark); });
  // What follows in each list is in the headers of its blocks.
  g_program_heap.VisitLists([&](unsigned arena, unsigned size_class, const BlockHeader* first) {
    WideHash list;
    list.Put(uint64_t{arena} << 32 | size_class);
    list.Put(reinterpret_cast<uint64_t>(first));
    sum.Sum(list);
  });
  return sum;
}

void ForgetMemoryHashes() {
  if (hashed == nullptr) return;
  for (size_t at = 0; at < kSlots && used != 0; ++at)
    if (hashed[at].page != 0) hashed[at].bytes = ~size_t{0};  // looked at anew
}

}  // namespace heddle::runtime
