#include "runtime/memory/own_heap.h"

#include "base/check.h"
#include "runtime/memory/pages.h"
#include "runtime/prim/copy.h"
#include "runtime/prim/host_lock.h"
#include "runtime/prim/lifetime.h"

namespace heddle::runtime {
namespace {

constexpr uint64_t kHeapMagic = 0x70616568'776f0001;  // "own heap", layout 1
constexpr uint64_t kBlockMagic = 0x6b636f6c'62000000;
constexpr size_t kHeaderBytes = 16;

struct Block {
  uint64_t magic;  // kBlockMagic | size class
  uint64_t lead;   // bytes from the beginning of the block to the payload
};
static_assert(sizeof(Block) == kHeaderBytes);

// 32, 48, 64, 96, 128, 192 ...
constexpr size_t ClassBytes(unsigned size_class) {
  return (size_class % 2 == 0 ? size_t{32} : size_t{48}) << (size_class / 2);
}

unsigned ClassOf(size_t bytes) {
  if (bytes <= 32) return 0;
  // Half steps at or below the highest bit of bytes - 1.
  unsigned high = 63 - static_cast<unsigned>(__builtin_clzll(bytes - 1));
  unsigned whole = (high - 5) * 2;  // ClassBytes(whole) == 2^high < bytes
  return bytes <= ClassBytes(whole + 1) ? whole + 1 : whole + 2;
}

Block* HeaderOf(void* payload) { return static_cast<Block*>(payload) - 1; }

}  // namespace

struct OwnHeap::Head {
  uint64_t magic;
  uint64_t bytes;
  uintptr_t base;
  uintptr_t top;
  size_t live;
  void* free[kClasses];  // a free block's first word is the next
  void* roots[kRoots];
};

void OwnHeap::Open(void* base, size_t bytes, bool fresh) {
  head_ = static_cast<Head*>(base);
  bytes_ = bytes;
  const uintptr_t begin = reinterpret_cast<uintptr_t>(base);
  HEDDLE_CHECK(begin % kPageBytes == 0 && bytes > sizeof(Head));
  if (fresh) {
    head_->bytes = bytes;
    head_->base = begin;
    head_->top = RoundUp(begin + sizeof(Head), 64);
    head_->magic = kHeapMagic;
  }
  HEDDLE_CHECK(head_->magic == kHeapMagic && head_->bytes == bytes && head_->base == begin);
}

void* OwnHeap::Take(size_t bytes, size_t alignment) {
  const size_t slack = alignment > 16 ? alignment : 0;
  if (bytes > bytes_ || slack > bytes_) return nullptr;
  const unsigned size_class = ClassOf(bytes + kHeaderBytes + slack);
  const size_t block_bytes = ClassBytes(size_class);
  uintptr_t begin;
  if (void* head = head_->free[size_class]) {
    begin = reinterpret_cast<uintptr_t>(head);
    head_->free[size_class] = *static_cast<void**>(head);
  } else {
    begin = head_->top;
    if (block_bytes > head_->base + bytes_ - begin) return nullptr;
    head_->top = begin + block_bytes;
  }
  head_->live += block_bytes;
  uintptr_t payload = begin + kHeaderBytes;
  if (slack != 0) payload = RoundUp(payload, alignment);
  Block* block = HeaderOf(reinterpret_cast<void*>(payload));
  block->magic = kBlockMagic | size_class;
  block->lead = payload - begin;
  return reinterpret_cast<void*>(payload);
}

void* OwnHeap::TakeZeroed(size_t bytes) {
  const uintptr_t top = head_->top;
  void* const payload = Take(bytes);
  if (payload != nullptr && reinterpret_cast<uintptr_t>(payload) < top) Fill(payload, 0, bytes);
  return payload;
}

void OwnHeap::GiveBack(void* payload) {
  Block* block = HeaderOf(payload);
  const unsigned size_class = static_cast<unsigned>(block->magic & 0xff);
  HEDDLE_CHECK((block->magic & ~uint64_t{0xff}) == kBlockMagic && size_class < kClasses);
  void* begin = static_cast<char*>(payload) - block->lead;
  block->magic = 0;
  *static_cast<void**>(begin) = head_->free[size_class];
  head_->free[size_class] = begin;
  head_->live -= ClassBytes(size_class);
}

void*& OwnHeap::Root(unsigned index) {
  HEDDLE_CHECK(head_ != nullptr && index < kRoots);
  return head_->roots[index];
}

size_t OwnHeap::LiveBytes() const { return head_->live; }
size_t OwnHeap::TopBytes() const { return head_->top - head_->base; }

[[HEDDLE_LASTS("of the search")]] constinit OwnHeap g_own_heap;

namespace {

// Before the channel is mapped, and in a process that heddle did not start: address space only
// until it is touched.
constexpr size_t kStandInBytes = size_t{16} << 30;
[[HEDDLE_LASTS("as g_own_heap")]] constinit OwnHeap g_stand_in;
// Static constructors of the C++ library may run on any thread of an ordinary program.
[[HEDDLE_LASTS("as g_own_heap")]] constinit bool g_stand_in_lock = false;

}  // namespace

void* TakeOwn(size_t bytes, size_t alignment) {
  if (g_own_heap.IsOpen()) return g_own_heap.Take(bytes, alignment);
  HostLock lock(&g_stand_in_lock);
  if (!g_stand_in.IsOpen()) g_stand_in.Open(ReserveMemory(kStandInBytes), kStandInBytes, true);
  return g_stand_in.Take(bytes, alignment);
}

bool IsOwnMemory(const void* address) {
  return (g_own_heap.IsOpen() && g_own_heap.Contains(address)) ||
         (g_stand_in.IsOpen() && g_stand_in.Contains(address));
}

void GiveBackOwn(void* payload) {
  if (payload == nullptr) return;
  if (g_own_heap.IsOpen() && g_own_heap.Contains(payload)) return g_own_heap.GiveBack(payload);
  HostLock lock(&g_stand_in_lock);
  HEDDLE_CHECK(g_stand_in.IsOpen() && g_stand_in.Contains(payload));
  g_stand_in.GiveBack(payload);
}

}  // namespace heddle::runtime
