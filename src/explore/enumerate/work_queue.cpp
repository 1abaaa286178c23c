#include "explore/enumerate/work_queue.h"

#include <cstring>
#include <utility>

#include "base/check.h"
#include "explore/varint.h"

namespace heddle::explore {

void WorkQueue::Push(std::span<const uint8_t> record, Spill* spill) {
  const uint64_t need = record.size() + kMaxVarintBytes;
  HEDDLE_CHECK(need <= UINT32_MAX);
  if (chunks_.empty() || chunks_.back().capacity - chunks_.back().used < need) {
    if (!chunks_.empty()) SpillTail(spill);
    AddChunk(need > chunk_bytes_ ? static_cast<uint32_t>(need) : chunk_bytes_);
  }
  Chunk& tail = chunks_.back();
  uint8_t* to = PutVarint(tail.memory.get() + tail.used, record.size());
  if (!record.empty()) std::memcpy(to, record.data(), record.size());
  tail.used = static_cast<uint32_t>(to - tail.memory.get() + record.size());
  ++tail.records;
  ++count_;
}

void WorkQueue::Pop(std::vector<uint8_t>* record, Spill* spill) {
  HEDDLE_CHECK(count_ > 0);
  while (chunks_.front().records == 0) DropHead();
  Chunk& head = chunks_.front();
  --head.records;
  --count_;
  record->clear();
  if (head.memory == nullptr && !head.lost) LoadHead(spill);
  if (head.lost) return;
  const uint8_t* from = head.memory.get() + read_;
  const uint64_t size = TakeVarint(&from);
  record->assign(from, from + size);
  read_ = static_cast<uint32_t>(from - head.memory.get() + size);
}

void WorkQueue::AddChunk(uint32_t capacity) {
  Chunk chunk;
  chunk.memory = Allocate(capacity);
  chunk.capacity = capacity;
  chunks_.push_back(std::move(chunk));
}

// Moves the full tail out of memory when the limit is reached. The chunk being read stays.
void WorkQueue::SpillTail(Spill* spill) {
  Chunk& tail = chunks_.back();
  if (spill == nullptr || memory_bytes_ < memory_limit_ || chunks_.size() == 1) return;
  if (tail.capacity != chunk_bytes_) return;  // a single record larger than a chunk
  const bool reuse = !free_slots_.empty();
  const uint64_t slot = reuse ? free_slots_.back() : slots_;
  if (!spill->Write(PlaceOf(slot), tail.memory.get(), tail.used)) return;
  if (reuse) {
    free_slots_.pop_back();
  } else {
    ++slots_;
  }
  tail.slot = slot;
  Free(std::move(tail.memory), tail.capacity);
}

// Brings the first chunk back into memory, or marks it lost.
void WorkQueue::LoadHead(Spill* spill) {
  Chunk& head = chunks_.front();
  auto memory = Allocate(head.capacity);
  free_slots_.push_back(head.slot);
  if (spill != nullptr && spill->Read(PlaceOf(head.slot), memory.get(), head.used)) {
    head.memory = std::move(memory);
  } else {
    Free(std::move(memory), head.capacity);
    head.lost = lost_ = true;
  }
}

void WorkQueue::DropHead() {
  Chunk& head = chunks_.front();
  if (head.memory != nullptr) Free(std::move(head.memory), head.capacity);
  chunks_.pop_front();
  read_ = 0;
}

std::unique_ptr<uint8_t[]> WorkQueue::Allocate(uint32_t capacity) {
  memory_bytes_ += capacity;
  if (capacity == chunk_bytes_ && spare_ != nullptr) return std::move(spare_);
  return std::unique_ptr<uint8_t[]>(new uint8_t[capacity]);
}

void WorkQueue::Free(std::unique_ptr<uint8_t[]> memory, uint32_t capacity) {
  memory_bytes_ -= capacity;
  if (capacity == chunk_bytes_) spare_ = std::move(memory);
}

}  // namespace heddle::explore
