// The table of states of several searches that make one (docs/algorithms/parallel.md), in memory
// that all their processes have mapped.
//
// Whoever looks takes no lock, so what all read is in the caches of all. An entry that is changed
// is stamped with an odd number meanwhile, and with another even one after it (a seqlock: Boehm,
// "Can seqlocks get along with programming language memory models?", MSPC 2012); who reads it looks
// again if the stamp was odd or has changed. A new entry is put into the first free slot of the
// index of its part, one of kShards by the hash of the state, by one compare-and-swap. Where that
// is far from where it should be, the index is replaced by a larger one. Each free slot of the old
// one is closed as it is copied: whoever comes to a closed slot waits for the larger index.
//
// Nothing of the program runs while an entry is changed or added, so it is done when the program
// ends its process.
//
// Layout: Header, and then what was asked for, never given back: indices, and for each search
// chunks of entries, so that those of one search lie together. A state takes 80 to 110 bytes.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "explore/hb/state_entry.h"
#include "explore/shared_memory.h"

namespace heddle::explore {

class SharedStates {
 public:
  SharedStates() = default;
  explicit SharedStates(const SharedMemory& memory)
      : base_(static_cast<char*>(memory.at)), bytes_(memory.bytes) {}

  bool IsThere() const { return base_ != nullptr; }
  bool IsAt(const SharedMemory& memory) const { return base_ == memory.at; }
  // REQUIRES: nobody else uses it.
  void Clear();
  // At most one chunk of each search too many.
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
  // answers what this does. REQUIRES: `change` asks nothing of the table.
  template <typename Change>
  auto Edit(uint64_t hash, const Change& change) {
    Record* const record = At(hash);
    StateEntry entry = record != nullptr ? Lock(*record) : StateEntry();
    if constexpr (std::is_void_v<decltype(change(entry))>) {
      change(entry);
      if (record != nullptr) Unlock(*record, entry);
    } else {
      const auto answer = change(entry);
      if (record != nullptr) Unlock(*record, entry);
      return answer;
    }
  }

 private:
  static constexpr uint32_t kShards = 64;
  static constexpr uint64_t kChunkBytes = 16u << 10;
  static constexpr uint64_t kLine = 64;  // of a processor's cache

  // A StateEntry, in one line.
  struct alignas(kLine) Record {
    std::array<std::atomic<uint64_t>, 6> words;
  };
  static_assert(sizeof(Record) == kLine);
  // The place of an entry, in lines, and the upper half of its hash above it; 0: free.
  using Slot = std::atomic<uint64_t>;
  static constexpr uint64_t kClosed = 1;  // there is no entry
  // `at` is a multiple of kLine, so the logarithm of its slots goes below it.
  struct Index {
    uint64_t at;
    uint64_t slots;
  };
  struct alignas(kLine) Shard {
    std::atomic<uint32_t> lock;   // of who replaces the index
    std::atomic<uint64_t> index;  // Index, packed; 0: there is none
  };
  struct Header {
    std::atomic<uint64_t> used;
    std::atomic<uint64_t> states;  // for which there are chunks
    std::atomic<uint32_t> full;
    std::atomic<uint32_t> cut_from;
    Shard shards[kShards];
  };

  Header& Head() const { return *reinterpret_cast<Header*>(base_); }
  Shard& ShardOf(uint64_t hash) const;
  static Index Unpack(uint64_t packed) {
    return {packed / kLine * kLine, uint64_t{1} << packed % kLine};
  }
  Slot* SlotsAt(uint64_t at) const { return reinterpret_cast<Slot*>(base_ + at); }
  Record& RecordAt(uint64_t slot) const {
    return *reinterpret_cast<Record*>(base_ + uint64_t{static_cast<uint32_t>(slot)} * kLine);
  }
  // Where a state is, or the free or closed slot where it would be (null: there is none); how far
  // from where it should be.
  struct Found {
    Slot* place;
    uint64_t slot;  // what is there
    uint64_t distance;
  };
  static uint64_t FirstOf(uint64_t hash, const Index& index);
  Found SlotOf(const Index& index, uint64_t hash) const;
  Record* Find(uint64_t hash) const;
  Record* At(uint64_t hash);
  uint64_t NewRecord(uint64_t hash);
  bool Grow(Shard& shard, uint64_t packed);
  void Copy(const Index& from, const Index& to) const;
  uint64_t Allocate(uint64_t bytes);
  static StateEntry Lock(Record& record);
  static void Unlock(Record& record, const StateEntry& entry);

  char* base_ = nullptr;
  uint64_t bytes_ = 0;
  uint64_t chunk_at_ = 0;  // where this search puts its next entry
  uint64_t chunk_end_ = 0;
};

}  // namespace heddle::explore
