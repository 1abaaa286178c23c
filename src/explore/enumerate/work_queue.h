// First in, first out, of byte strings; packed into chunks, of which all beyond a limit live in a
// Spill.
//
//   head                                                        tail
//   [memory] [memory] ... [spilled] [spilled] ... [spilled] [memory]
//    read from here                                    written here
//
// A record is a length (varint) and its bytes, and never crosses a chunk. A full chunk is spilled
// when the others use up the limit; what is read next stays in memory that way. If writing fails
// the chunk stays in memory. If reading back fails its records are lost: they come out empty, and
// Lost() tells, because a search that lost work must say so.
//
// Plain data: part of a State that outlives the process (explorer.h). The Spill is code, so it is
// passed in.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "explore/spill.h"

namespace heddle::explore {

class WorkQueue {
 public:
  static constexpr uint32_t kChunkBytes = 1u << 20;
  static constexpr uint64_t kMemoryLimit = 32u << 20;

  // `spill_at`: offset in the spill of the first byte that is the queue's.
  explicit WorkQueue(uint64_t spill_at, uint64_t memory_limit = kMemoryLimit,
                     uint32_t chunk_bytes = kChunkBytes)
      : spill_at_(spill_at), memory_limit_(memory_limit), chunk_bytes_(chunk_bytes) {}

  uint64_t Count() const { return count_; }
  bool Lost() const { return lost_; }
  uint64_t MemoryBytes() const { return memory_bytes_; }
  // The most there were at a time.
  uint64_t SpilledBytes() const { return slots_ * uint64_t{chunk_bytes_}; }

  // `spill` may be null: then everything stays in memory.
  void Push(std::span<const uint8_t> record, Spill* spill);
  // Replaces `record` by the oldest one. REQUIRES: Count() > 0.
  void Pop(std::vector<uint8_t>* record, Spill* spill);

 private:
  struct Chunk {
    std::unique_ptr<uint8_t[]> memory;  // null: spilled
    uint32_t capacity = 0;
    uint32_t used = 0;
    uint32_t records = 0;  // not yet read
    uint64_t slot = 0;     // where spilled, in units of chunk_bytes_
    bool lost = false;     // could not be read back
  };

  void AddChunk(uint32_t capacity);
  void SpillTail(Spill* spill);
  void DropHead();
  void LoadHead(Spill* spill);
  std::unique_ptr<uint8_t[]> Allocate(uint32_t capacity);
  void Free(std::unique_ptr<uint8_t[]> memory, uint32_t capacity);

  uint64_t PlaceOf(uint64_t slot) const { return spill_at_ + slot * chunk_bytes_; }

  uint64_t spill_at_;
  uint64_t memory_limit_;
  uint32_t chunk_bytes_;
  std::deque<Chunk> chunks_;
  uint32_t read_ = 0;  // offset in the first chunk
  uint64_t count_ = 0;
  uint64_t memory_bytes_ = 0;
  std::unique_ptr<uint8_t[]> spare_;  // one buffer kept for the next chunk
  std::vector<uint64_t> free_slots_;
  uint64_t slots_ = 0;
  bool lost_ = false;
};

}  // namespace heddle::explore
