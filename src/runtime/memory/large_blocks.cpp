#include "runtime/memory/large_blocks.h"

#include "runtime/memory/pages.h"

namespace heddle::runtime {
namespace {

void Protect(uintptr_t begin, size_t bytes, int protection) {
  RawSyscall(SYS_mprotect, static_cast<long>(begin), static_cast<long>(bytes), protection);
}

void Discard(uintptr_t begin, size_t bytes) {
  RawSyscall(SYS_madvise, static_cast<long>(begin), static_cast<long>(bytes), MADV_DONTNEED);
}

}  // namespace

void LargeBlocks::Open(uintptr_t begin) {
  begin_ = top_ = mapped_end_ = mark_ = begin;
  blocks_ = static_cast<Block*>(ReserveMemory(kMaxBlocks * sizeof(Block)));
}

void* LargeBlocks::Take(size_t bytes, size_t alignment, bool* reused) {
  if (bytes > kSliceBytes || alignment > kSliceBytes) return nullptr;
  const size_t asked_for = bytes;
  bytes = bytes == 0 ? kPageBytes : RoundUp(bytes, kPageBytes);
  const uintptr_t begin =
      RoundUp(top_ + kPageBytes, alignment < kPageBytes ? kPageBytes : alignment);
  Block* block = Append(begin, bytes);
  if (block == nullptr) {
    block = Reuse(bytes, alignment);
    *reused = block != nullptr;
  }
  if (block == nullptr) return nullptr;
  block->asked_for = asked_for;
  block->family = HeapFamily::kMalloc;
  return reinterpret_cast<void*>(block->begin);
}

LargeBlocks::Block* LargeBlocks::Append(uintptr_t begin, size_t bytes) {
  const uintptr_t end = begin + bytes;
  if (end > begin_ + kSliceBytes || count_ == kMaxBlocks) return nullptr;
  if (end > mapped_end_) {
    if (!MapAt(mapped_end_, end - mapped_end_)) return nullptr;
    mapped_end_ = end;
  }
  top_ = end;
  blocks_[count_] = {begin, bytes, State::kLive, bytes, HeapFamily::kMalloc};
  return &blocks_[count_++];
}

// The oldest freed block that fits and is not more than twice as large. Only when the slice is
// full: there is plenty of address space, and a freed address that is not used again is a use after
// free that is noticed.
LargeBlocks::Block* LargeBlocks::Reuse(size_t bytes, size_t alignment) {
  for (size_t i = marked_count_; i < count_; ++i) {
    Block& block = blocks_[i];
    const bool fits =
        block.bytes >= bytes && block.bytes / 2 <= bytes && block.begin % alignment == 0;
    if (!fits || block.state == State::kLive) continue;
    Protect(block.begin, block.bytes, PROT_READ | PROT_WRITE);
    block.state = State::kLive;
    return &block;
  }
  return nullptr;
}

size_t LargeBlocks::CountBefore(uintptr_t address) const {
  size_t low = 0;
  size_t high = count_;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (blocks_[middle].begin < address) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

LargeBlocks::Block* LargeBlocks::Find(uintptr_t payload) const {
  const size_t at = CountBefore(payload);
  return at < count_ && blocks_[at].begin == payload ? &blocks_[at] : nullptr;
}

void LargeBlocks::FindAround(uintptr_t address, const Block** before, const Block** behind) const {
  const size_t at = CountBefore(address + 1);
  *before = at == 0 ? nullptr : &blocks_[at - 1];
  *behind = at == count_ ? nullptr : &blocks_[at];
}

bool LargeBlocks::IsInBlock(uintptr_t first, uintptr_t last) const {
  const auto holds = [&](size_t at) {
    const Block& block = blocks_[at];
    return block.begin <= first && last - block.begin < block.asked_for &&
           block.state == State::kLive;
  };
  if (looked_at_ < count_ && holds(looked_at_)) return true;
  const size_t at = CountBefore(first + 1);
  if (at == 0 || !holds(at - 1)) return false;
  looked_at_ = at - 1;
  return true;
}

const LargeBlocks::Block* LargeBlocks::FindLive(uintptr_t payload) const {
  const Block* block = Find(payload);
  return block == nullptr || block->state != State::kLive ? nullptr : block;
}

size_t LargeBlocks::BytesOf(uintptr_t payload) const {
  const Block* block = FindLive(payload);
  return block == nullptr ? 0 : block->bytes;
}

FreeResult LargeBlocks::GiveBack(uintptr_t payload) {
  Block* block = Find(payload);
  if (block == nullptr) return FreeResult::kNotABlock;
  if (block->state != State::kLive) return FreeResult::kDoubleFree;
  block->state = State::kFreed;
  if (payload < mark_) {
    ++marked_freed_;
  } else {
    Discard(block->begin, block->bytes);
    Protect(block->begin, block->bytes, PROT_NONE);
    any_protected_ = true;
  }
  return FreeResult::kOk;
}

void LargeBlocks::Mark() {
  for (size_t i = 0; i < count_; ++i) {
    if (blocks_[i].state == State::kFreed) blocks_[i].state = State::kFreedBeforeMark;
  }
  mark_ = top_;
  marked_count_ = count_;
  marked_freed_ = 0;
  in_use_ = false;
  any_protected_ = false;
}

void LargeBlocks::Rewind() {
  if (top_ > mark_) {
    Discard(mark_, top_ - mark_);
    if (any_protected_) Protect(mark_, top_ - mark_, PROT_READ | PROT_WRITE);
  }
  for (size_t i = 0; marked_freed_ != 0; ++i) {
    if (blocks_[i].state != State::kFreed) continue;
    blocks_[i].state = State::kLive;
    --marked_freed_;
  }
  top_ = mark_;
  count_ = marked_count_;
  any_protected_ = false;
  in_use_ = false;
}

}  // namespace heddle::runtime
