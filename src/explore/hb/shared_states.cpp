#include "explore/hb/shared_states.h"

#include <sys/mman.h>
#include <sys/syscall.h>

#include <cstring>
#include <new>

#include "base/hash.h"
#include "runtime/prim/page.h"
#include "runtime/prim/syscall.h"

namespace heddle::explore {

SharedStates::Lock::Lock(std::atomic<uint32_t>& lock, uint32_t owner) : lock_(lock) {
  constexpr uint32_t kLooks = 64;
  for (uint32_t looks = 1;; ++looks) {
    uint32_t holder = 0;
    if (lock_.compare_exchange_weak(holder, owner, std::memory_order_acquire) || holder == owner)
      return;
    if (looks % kLooks == 0) runtime::RawSyscall(SYS_sched_yield);
  }
}

SharedStates::Shard& SharedStates::ShardOf(uint64_t hash) const {
  static_assert(kShards == 1u << 6);
  return Head().shards[base::Spread(hash) >> 58];
}

// All that was touched is given back; where the kernel cannot, it is zeroed.
void SharedStates::Clear() {
  const uint64_t used = Head().used.load();
  if (used == 0) return;
  const uint64_t bytes =
      (used + runtime::kPageBytes - 1) / runtime::kPageBytes * runtime::kPageBytes;
  const long failed = runtime::RawSyscall(SYS_madvise, reinterpret_cast<long>(base_),
                                          static_cast<long>(bytes), MADV_REMOVE);
  if (failed != 0) std::memset(base_, 0, bytes);
}

// Where the state is, or the empty one where it belongs. REQUIRES: there are slots.
SharedStates::Slot& SharedStates::SlotOf(const Shard& shard, uint64_t hash) const {
  const auto tag = static_cast<uint32_t>(hash >> 32);
  const uint64_t mask = shard.slots - 1;
  Slot* const index = IndexOf(shard);
  uint64_t slot = base::Spread(hash) >> 20 & mask;
  while (index[slot].at != 0 && (index[slot].tag != tag || EntryAt(index[slot].at).hash != hash))
    slot = (slot + 1) & mask;
  return index[slot];
}

StateEntry SharedStates::Get(uint64_t hash) const {
  Shard& shard = ShardOf(hash);
  const Lock lock(shard.lock, owner_);
  if (shard.slots == 0) return {};
  const Slot& slot = SlotOf(shard, hash);
  return slot.at == 0 ? StateEntry() : EntryAt(slot.at);
}

// Null: there is no room.
StateEntry* SharedStates::At(Shard& shard, uint64_t hash) {
  if (shard.slots != 0) {
    const Slot& slot = SlotOf(shard, hash);
    if (slot.at != 0) return &EntryAt(slot.at);
  }
  if (4 * (uint64_t{shard.count} + 1) > 3 * shard.slots && !Grow(shard)) return nullptr;
  if (shard.chunk_end - shard.chunk_at < sizeof(StateEntry)) {
    const uint64_t chunk = Allocate(kChunkBytes);
    if (chunk == 0) return nullptr;
    shard.chunk_at = chunk;
    shard.chunk_end = chunk + kChunkBytes;
  }
  static_assert(sizeof(StateEntry) % kUnit == 0);
  auto* const entry = new (base_ + shard.chunk_at) StateEntry;
  entry->hash = hash;
  SlotOf(shard, hash) = {static_cast<uint32_t>(shard.chunk_at / kUnit),
                         static_cast<uint32_t>(hash >> 32)};
  shard.chunk_at += sizeof(StateEntry);
  ++shard.count;
  Head().states.fetch_add(1, std::memory_order_relaxed);
  return entry;
}

// Where so many bytes of zero are; 0: nowhere.
uint64_t SharedStates::Allocate(uint64_t bytes) {
  Header& head = Head();
  static_assert(sizeof(Header) % kLine == 0);
  uint64_t used = head.used.load();
  uint64_t at = 0;
  do {
    at = used == 0 ? sizeof(Header) : used;
    if (bytes > bytes_ - at) {
      head.full.store(1);
      return 0;
    }
  } while (!head.used.compare_exchange_weak(used, at + bytes));
  return at;
}

// Twice as many slots. What the old index took is lost: as much as the new one at the most.
bool SharedStates::Grow(Shard& shard) {
  constexpr uint64_t kFirst = 64;
  const uint64_t slots = shard.slots == 0 ? kFirst : 2 * shard.slots;
  const uint64_t at = Allocate(slots * sizeof(Slot));
  if (at == 0) return false;
  Shard grown = {{}, shard.count, slots, at, shard.chunk_at, shard.chunk_end};
  const Slot* const old = IndexOf(shard);
  for (uint64_t i = 0; i < shard.slots; ++i)
    if (old[i].at != 0) SlotOf(grown, EntryAt(old[i].at).hash) = old[i];
  shard.slots = slots;
  shard.index_at = at;
  return true;
}

}  // namespace heddle::explore
