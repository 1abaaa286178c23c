#include "runtime/memory/arena.h"

#include "runtime/memory/pages.h"
#include "runtime/prim/copy.h"

namespace heddle::runtime {
namespace {

constexpr size_t kFirstStep = size_t{1} << 20;
constexpr size_t kLargestStep = size_t{64} << 20;

}  // namespace

void Arena::Open(uintptr_t begin, uint16_t index) {
  begin_ = top_ = mark_ = mapped_end_ = begin;
  index_ = index;
  Extend(begin + kPageBytes);
}

void* Arena::Take(size_t bytes, size_t alignment, uint8_t fill, bool* reused) {
  const unsigned size_class = SizeClassOf(bytes);
  const uint32_t capacity = SizeClassBytes(size_class);
  BlockHeader* block = nullptr;
  uint16_t home = index_;
  if (__builtin_expect(may_reuse_, 0)) block = Reuse(size_class, alignment);
  if (block != nullptr) {
    *reused = true;
    home = block->arena;
  } else {
    const uintptr_t payload = RoundUp(top_ + sizeof(BlockHeader), alignment);
    if (payload + capacity > limit_ && !Extend(payload + capacity)) return nullptr;
    block = HeaderOf(payload);
    SetGap(top_, reinterpret_cast<uintptr_t>(block));
    if (__builtin_expect(top_ < high_, 0)) *reused = true;
    top_ = payload + capacity;
  }
  block->SetLive(capacity, home, static_cast<uint32_t>(bytes));
  *BoundOf(reinterpret_cast<uintptr_t>(block)) = 0;
  SetBounds(block->Payload(), capacity, bytes);
  // One of another arena lies above the mark of that.
  if (home == index_) NoteBounds(block->Payload(), block->End());
  Fill(reinterpret_cast<void*>(block->Payload()), fill, capacity);
  return reinterpret_cast<void*>(block->Payload());
}

void Arena::SetGap(uintptr_t begin, uintptr_t end) {
  if (begin == end) return;
  const auto bytes = static_cast<uint32_t>(end - begin - sizeof(BlockHeader));
  reinterpret_cast<BlockHeader*>(begin)->Set(bytes, index_, BlockState::kGap, nullptr);
  ForbidRange(begin, end);
}

void Arena::NoteBounds(uintptr_t begin, uintptr_t end) {
  if (__builtin_expect(begin >= mark_, 1)) return;
  if (changed_from_ == 0 || begin < changed_from_) changed_from_ = begin;
  if (end > changed_to_) changed_to_ = end;
}

void Arena::SetFamily(uintptr_t payload, HeapFamily family) {
  BlockHeader& block = *HeaderOf(payload);
  block.SetLive(block.capacity, block.arena, block.Bytes(), family);
}

void Arena::SetPoisoned(uintptr_t begin, uintptr_t end, bool poisoned) {
  if (poisoned)
    PoisonBounds(begin, end);
  else
    UnpoisonBounds(begin, end);
  NoteBounds(RoundDown(begin, kUnit), RoundUp(end, kUnit));
}

bool Arena::Extend(uintptr_t end) {
  if (end > begin_ + kArenaBytes) return false;
  while (mapped_end_ < end) {
    size_t step = mapped_end_ - begin_;  // doubles
    if (step < kFirstStep) step = kFirstStep;
    if (step > kLargestStep) step = kLargestStep;
    if (!MapAt(mapped_end_, step)) return false;
    mapped_end_ += step;
  }
  limit_ = mapped_end_;
  return true;
}

FreeResult Arena::GiveBack(uintptr_t payload, bool own) {
  if (!Holds(payload)) return FreeResult::kNotABlock;
  BlockHeader* block = HeaderOf(payload);
  if (FindLive(payload) != nullptr) {
    const bool parks = own && parked_from_ != 0 && payload > parked_from_;
    if (!(parks ? Park(block) : Quarantine(block))) return FreeResult::kCorrupt;
    MarkFreed(block);
    return FreeResult::kOk;
  }
  return WhyNotLive(payload);
}

FreeResult Arena::GiveBackTo(uintptr_t payload, Arena* freer) {
  if (!Holds(payload)) return FreeResult::kNotABlock;
  if (FindLive(payload) == nullptr) return WhyNotLive(payload);
  BlockHeader* block = HeaderOf(payload);
  if (freer == nullptr || payload < mark_)
    block->Change(BlockState::kFreed, nullptr);
  else if (!freer->Push(block))
    return FreeResult::kCorrupt;
  MarkFreed(block);
  return FreeResult::kOk;
}

FreeResult Arena::WhyNotLive(uintptr_t payload) const {
  return FindFreed(payload) != nullptr ? FreeResult::kDoubleFree : Diagnose(payload);
}

void Arena::MarkFreed(BlockHeader* block) {
  const size_t bytes = block->capacity < kFreedFillBytes ? block->capacity : kFreedFillBytes;
  Fill(reinterpret_cast<void*>(block->Payload()), kFreedPattern, bytes);
  ForbidRange(block->Payload(), block->End());
  NoteBounds(block->Payload(), block->End());
}

const BlockHeader* Arena::FindLive(uintptr_t payload) const {
  if (!Holds(payload)) return nullptr;
  const BlockHeader* block = HeaderOf(payload);
  return block->state == BlockState::kLive && block->IsSealed() ? block : nullptr;
}

const BlockHeader* Arena::FindFreed(uintptr_t payload) const {
  if (!Holds(payload)) return nullptr;
  const BlockHeader* block = HeaderOf(payload);
  const bool freed = block->state == BlockState::kFreed || block->state == BlockState::kParked;
  return freed && block->IsSealed() ? block : nullptr;
}

void Arena::FindAround(uintptr_t address, const BlockHeader** before,
                       const BlockHeader** behind) const {
  *before = *behind = nullptr;
  for (uintptr_t at = begin_; at < top_;) {
    const auto* block = reinterpret_cast<const BlockHeader*>(at);
    if (!block->IsSealed()) return;
    at = block->End();
    if (block->state == BlockState::kGap) continue;
    if (block->Payload() > address) {
      *behind = block;
      return;
    }
    *before = block;
  }
}

bool Arena::Holds(uintptr_t payload) const {
  return payload % 16 == 0 && payload >= begin_ + sizeof(BlockHeader) && payload < UsedEnd();
}

// Tells an address that never was a block from a block whose header was overwritten, by walking up
// to it.
FreeResult Arena::Diagnose(uintptr_t payload) const {
  uintptr_t at = begin_;
  while (at < payload && at < top_) {
    const auto* block = reinterpret_cast<const BlockHeader*>(at);
    if (!block->IsSealed()) return FreeResult::kCorrupt;
    at = block->End();
  }
  return FreeResult::kNotABlock;
}

// False when the header of a block freed before it was overwritten.
bool Arena::Park(BlockHeader* block) {
  const bool whole = last_parked_ == nullptr || last_parked_->IsSealed();
  block->Change(BlockState::kParked, nullptr);
  last_parked_ = block;
  parked_ += block->capacity;
  return whole && (parked_ <= kParkedBytes || QuarantineParked());
}

bool Arena::QuarantineParked() {
  uintptr_t at = parked_from_;
  parked_from_ = top_;
  parked_ = 0;
  last_parked_ = nullptr;
  while (at < top_) {
    auto* block = reinterpret_cast<BlockHeader*>(at);
    if (!block->IsSealed()) return false;
    if (block->state == BlockState::kParked && !Quarantine(block)) return false;
    at = block->End();
  }
  return true;
}

bool Arena::IsParkedSince(uintptr_t end) const {
  if (parked_from_ == 0 || end < parked_from_ || end > top_) return false;
  uintptr_t at = end;
  while (at < top_) {
    const auto* block = reinterpret_cast<const BlockHeader*>(at);
    const bool parked = block->state == BlockState::kParked || block->state == BlockState::kGap;
    if (!parked || !block->IsSealed()) return false;
    at = block->End();
  }
  return true;
}

void Arena::TakeBack(uintptr_t end) {
  for (uintptr_t at = end; at < top_;) {
    const auto* block = reinterpret_cast<const BlockHeader*>(at);
    if (block->state == BlockState::kParked) parked_ -= block->capacity;
    at = block->End();
  }
  ForbidRange(end, top_);
  high_ = UsedEnd();
  top_ = end;
  last_parked_ = nullptr;
}

// False when the header of the block freed before it was overwritten.
bool Arena::Quarantine(BlockHeader* block) {
  const unsigned size_class = SizeClassOf(block->capacity);
  Queue& queue = queues_[size_class];
  block->Change(BlockState::kFreed, nullptr);
  if (queue.first == nullptr) {
    queue.first = block;
    queues_in_use_[size_class / 64] |= uint64_t{1} << (size_class % 64);
  } else {
    if (!queue.last->IsSealed()) return false;
    queue.last->Change(BlockState::kFreed, block);
  }
  queue.last = block;
  quarantined_ += block->capacity;
  NoteReusable();
  return true;
}

namespace {

uint64_t HashOf(const BlockHeader* block, uint32_t depth) {
  return base::MixTwo(reinterpret_cast<uint64_t>(block), depth) | 1;
}

}  // namespace

// False when the header of the block freed before it was overwritten.
bool Arena::Push(BlockHeader* block) {
  const unsigned size_class = SizeClassOf(block->capacity);
  Queue& queue = queues_[size_class];
  if (queue.first != nullptr && !queue.first->IsSealed()) return false;
  block->Change(BlockState::kFreed, queue.first);
  queue.first = block;
  queues_in_use_[size_class / 64] |= uint64_t{1} << (size_class % 64);
  lists_hash_ += HashOf(block, ++queue.depth);
  NoteReusable();
  return true;
}

void Arena::NoteReusable() { may_reuse_ = quarantined_ > kQuarantineBytes || lists_hash_ != 0; }

// The oldest freed block of the size (--reuse now: the last one), if its header is still whole.
BlockHeader* Arena::Reuse(unsigned size_class, size_t alignment) {
  Queue& queue = queues_[size_class];
  BlockHeader* block = queue.first;
  if (block == nullptr || !block->IsSealed() || block->Payload() % alignment != 0) return nullptr;
  queue.first = block->Link();
  if (queue.depth != 0)
    lists_hash_ -= HashOf(block, queue.depth--);
  else
    quarantined_ -= block->capacity;
  NoteReusable();
  return block;
}

void Arena::ForgetQuarantine() {
  ForQueues(*this, [](Queue& queue) { queue = {}; });
  queues_in_use_[0] = queues_in_use_[1] = 0;
  quarantined_ = 0;
  lists_hash_ = 0;
  may_reuse_ = false;
}

void Arena::Save(base::SavedBytes& to) const {
  to.Put(top_);
  to.Put(high_);
  to.Put(reinterpret_cast<const char*>(mark_), UsedEnd() - mark_);
  to.Put(BoundOf(mark_), (UsedEnd() - mark_) / kUnit);
  to.Put(changed_from_);
  to.Put(changed_to_);
  if (changed_from_ != 0) to.Put(BoundOf(changed_from_), (changed_to_ - changed_from_) / kUnit);
  to.Put(parked_from_);
  to.Put(last_parked_);
  to.Put(parked_);
  to.Put(quarantined_);
  to.Put(lists_hash_);
  to.Put(queues_in_use_, 2);
  ForQueues(*this, [&](const Queue& queue) { to.Put(queue); });
}

void Arena::Restore(base::SavedBytesReader& from) {
  top_ = from.Get<uintptr_t>();
  high_ = from.Get<uintptr_t>();
  from.Get(reinterpret_cast<char*>(mark_), UsedEnd() - mark_);
  from.Get(BoundOf(mark_), (UsedEnd() - mark_) / kUnit);
  changed_from_ = from.Get<uintptr_t>();
  changed_to_ = from.Get<uintptr_t>();
  if (changed_from_ != 0) from.Get(BoundOf(changed_from_), (changed_to_ - changed_from_) / kUnit);
  parked_from_ = from.Get<uintptr_t>();
  last_parked_ = from.Get<BlockHeader*>();
  parked_ = from.Get<size_t>();
  quarantined_ = from.Get<size_t>();
  lists_hash_ = from.Get<uint64_t>();
  from.Get(queues_in_use_, 2);
  ForQueues(*this, [&](Queue& queue) { queue = from.Get<Queue>(); });
  NoteReusable();
}

void Arena::Mark() {
  mark_ = RoundUp(top_, kPageBytes);
  SetGap(top_, mark_);
  top_ = mark_;
  changed_from_ = changed_to_ = 0;
  KeepBounds();
  Rewind();
}

void Arena::KeepBounds() {
  const size_t bytes = (mark_ - begin_) / kUnit;
  if (bytes > kept_bytes_) {
    if (kept_bytes_ != 0) UnmapMemory(kept_bounds_, kept_bytes_);
    kept_bytes_ = RoundUp(bytes, kPageBytes);
    kept_bounds_ = static_cast<uint8_t*>(ReserveMemory(kept_bytes_));
  }
  if (bytes != 0) CopyForward(kept_bounds_, BoundOf(begin_), bytes);
}

void Arena::Rewind() {
  ForbidRange(mark_, UsedEnd());
  if (changed_from_ != 0) {
    CopyForward(BoundOf(changed_from_), kept_bounds_ + (changed_from_ - begin_) / kUnit,
                (changed_to_ - changed_from_) / kUnit);
    changed_from_ = changed_to_ = 0;
  }
  top_ = mark_;
  limit_ = 0;
  parked_from_ = high_ = 0;
  last_parked_ = nullptr;
  parked_ = 0;
  ForgetQuarantine();
}

}  // namespace heddle::runtime
