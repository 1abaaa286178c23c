// The table of states of several searches that make one (docs/algorithms/parallel.md), in memory
// that all their processes have mapped. What is to be changed of a state is changed at once: each
// of kShards parts, by the hash of the state, has a lock.
//
// A lock knows who has it. Within one search there is but one at a time who asks, so a lock that is
// its own was left by a process that died, while it read.
//
// Layout: Header, and then what was asked for, never given back: indices of the parts, and chunks
// of their entries. A state takes 60 to 90 bytes.
#pragma once

#include <atomic>
#include <cstdint>

#include "explore/hb/state_entry.h"
#include "explore/shared_memory.h"

namespace heddle::explore {

class SharedStates {
 public:
  SharedStates() = default;
  explicit SharedStates(const SharedMemory& memory)
      : base_(static_cast<char*>(memory.at)), bytes_(memory.bytes), owner_(memory.job + 1) {}

  bool IsThere() const { return base_ != nullptr; }
  // REQUIRES: nobody else uses it.
  void Clear();
  uint64_t Size() const { return Head().states.load(std::memory_order_relaxed); }
  // There was no room for an entry.
  bool IsFull() const { return Head().full.load(std::memory_order_relaxed) != 0; }
  // Some search has left something out because of this bound, or a higher one.
  bool IsCut(uint32_t bound) const {
    return Head().cut_from.load(std::memory_order_relaxed) > bound;
  }
  void Cut(uint32_t bound) { Head().cut_from.store(bound + 1, std::memory_order_relaxed); }

  // One without hash if there is none.
  StateEntry Get(uint64_t hash) const;
  // A new one if there is none. `change` is called with it, nobody else changes it meanwhile, and
  // answers what this does.
  template <typename Change>
  auto Edit(uint64_t hash, const Change& change) {
    Shard& shard = ShardOf(hash);
    const Lock lock(shard.lock, owner_);
    StateEntry none;
    StateEntry* const entry = At(shard, hash);
    return change(entry != nullptr ? *entry : none);
  }

 private:
  static constexpr uint32_t kShards = 64;
  static constexpr uint32_t kUnit = 16;  // entries are found by their place in these
  static constexpr uint64_t kChunkBytes = 16u << 10;
  static constexpr uint64_t kLine = 64;  // of a processor's cache

  struct Slot {
    uint32_t at;   // 0: empty
    uint32_t tag;  // the upper half of the hash
  };
  struct alignas(kLine) Shard {
    std::atomic<uint32_t> lock;  // who has it; 0: nobody
    uint32_t count;
    uint64_t slots;     // a power of two, at most three quarters full
    uint64_t index_at;  // of Slot[]
    uint64_t chunk_at;  // where the next entry comes
    uint64_t chunk_end;
  };
  struct Header {
    std::atomic<uint64_t> used;
    std::atomic<uint32_t> states;
    std::atomic<uint32_t> full;
    std::atomic<uint32_t> cut_from;
    Shard shards[kShards];
  };

  class Lock {
   public:
    Lock(std::atomic<uint32_t>& lock, uint32_t owner);
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
    ~Lock() { lock_.store(0, std::memory_order_release); }

   private:
    std::atomic<uint32_t>& lock_;
  };

  Header& Head() const { return *reinterpret_cast<Header*>(base_); }
  Shard& ShardOf(uint64_t hash) const;
  Slot* IndexOf(const Shard& shard) const {
    return reinterpret_cast<Slot*>(base_ + shard.index_at);
  }
  StateEntry& EntryAt(uint32_t at) const {
    return *reinterpret_cast<StateEntry*>(base_ + uint64_t{at} * kUnit);
  }
  Slot& SlotOf(const Shard& shard, uint64_t hash) const;
  StateEntry* At(Shard& shard, uint64_t hash);
  uint64_t Allocate(uint64_t bytes);
  bool Grow(Shard& shard);

  char* base_ = nullptr;
  uint64_t bytes_ = 0;
  uint32_t owner_ = 0;
};

}  // namespace heddle::explore
