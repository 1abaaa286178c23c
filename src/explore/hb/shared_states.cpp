#include "explore/hb/shared_states.h"

#include <sys/mman.h>
#include <sys/syscall.h>

#include <cstring>

#include "base/hash.h"
#include "runtime/prim/page.h"
#include "runtime/prim/syscall.h"

namespace heddle::explore {
namespace {

// Another process has something that is wanted, for a moment, unless it does not run.
class Patience {
 public:
  void Wait() {
    constexpr uint32_t kLooks = 64;
    if (++looks_ % kLooks == 0) runtime::RawSyscall(SYS_sched_yield);
  }

 private:
  uint32_t looks_ = 0;
};

bool IsChanging(uint64_t last_word) {
  std::array<uint64_t, 6> words = {};
  words.back() = last_word;
  return std::bit_cast<StateEntry>(words).stamp % 2 != 0;
}

}  // namespace

SharedStates::Shard& SharedStates::ShardOf(uint64_t hash) const {
  return Head().shards[hash % kShards];
}

// All that was touched is given back; where the kernel cannot, it is zeroed.
void SharedStates::Clear() {
  const uint64_t used = Head().used.load();
  chunk_at_ = chunk_end_ = 0;
  if (used == 0) return;
  const uint64_t bytes =
      (used + runtime::kPageBytes - 1) / runtime::kPageBytes * runtime::kPageBytes;
  const long failed = runtime::RawSyscall(SYS_madvise, reinterpret_cast<long>(base_),
                                          static_cast<long>(bytes), MADV_REMOVE);
  if (failed != 0) std::memset(base_, 0, used);
}

// ---- to find ----

// Where it should be: by the upper half of the hash, which the slot has, too. Twice as many slots
// have it at twice the place, so a larger index is filled from one end to the other.
uint64_t SharedStates::FirstOf(uint64_t hash, const Index& index) {
  return base::Spread(hash >> 32) >> (64 - std::countr_zero(index.slots));
}

SharedStates::Found SharedStates::SlotOf(const Index& index, uint64_t hash) const {
  const uint64_t mask = index.slots - 1;
  const uint64_t first = FirstOf(hash, index);
  Slot* const slots = SlotsAt(index.at);
  for (uint64_t distance = 0; distance <= mask; ++distance) {
    Slot& place = slots[(first + distance) & mask];
    const uint64_t slot = place.load(std::memory_order_acquire);
    const bool found = slot == 0 || slot == kClosed ||
                       (slot >> 32 == hash >> 32 &&
                        RecordAt(slot).words[0].load(std::memory_order_relaxed) == hash);
    if (found) return {&place, slot, distance};
  }
  return {nullptr, 0, mask + 1};
}

// Null: it is not there.
SharedStates::Record* SharedStates::Find(uint64_t hash) const {
  const Shard& shard = ShardOf(hash);
  for (Patience patience;; patience.Wait()) {
    const uint64_t packed = shard.index.load(std::memory_order_acquire);
    if (packed == 0) return nullptr;
    const uint64_t slot = SlotOf(Unpack(packed), hash).slot;
    if (slot != kClosed) return slot == 0 ? nullptr : &RecordAt(slot);
  }
}

StateEntry SharedStates::Get(uint64_t hash) const {
  const Record* const record = Find(hash);
  if (record == nullptr) return {};
  std::array<uint64_t, 6> words = {};
  for (Patience patience;; patience.Wait()) {
    words.back() = record->words.back().load(std::memory_order_acquire);
    if (IsChanging(words.back())) continue;
    for (size_t i = 0; i + 1 < words.size(); ++i)
      words[i] = record->words[i].load(std::memory_order_acquire);
    if (record->words.back().load(std::memory_order_relaxed) == words.back())
      return std::bit_cast<StateEntry>(words);
  }
}

// ---- to change ----

StateEntry SharedStates::Lock(Record& record) {
  std::array<uint64_t, 6> words = {};
  for (Patience patience;; patience.Wait()) {
    words.back() = record.words.back().load(std::memory_order_relaxed);
    if (IsChanging(words.back())) continue;
    StateEntry odd = std::bit_cast<StateEntry>(words);
    ++odd.stamp;
    const auto stamped = std::bit_cast<std::array<uint64_t, 6>>(odd);
    uint64_t expected = words.back();
    if (record.words.back().compare_exchange_strong(expected, stamped.back(),
                                                    std::memory_order_acquire))
      break;
  }
  for (size_t i = 0; i + 1 < words.size(); ++i)
    words[i] = record.words[i].load(std::memory_order_relaxed);
  return std::bit_cast<StateEntry>(words);
}

// `entry` has the stamp from before.
void SharedStates::Unlock(Record& record, const StateEntry& entry) {
  StateEntry even = entry;
  even.stamp += 2;
  const auto words = std::bit_cast<std::array<uint64_t, 6>>(even);
  for (size_t i = 0; i < words.size(); ++i)
    record.words[i].store(words[i], std::memory_order_release);
}

// ---- to add ----

// Null: there is no room.
SharedStates::Record* SharedStates::At(uint64_t hash) {
  constexpr uint64_t kFar = 16;  // two lines of the cache
  Shard& shard = ShardOf(hash);
  for (Patience patience;; patience.Wait()) {
    const uint64_t packed = shard.index.load(std::memory_order_acquire);
    if (packed == 0) {
      if (!Grow(shard, packed)) return nullptr;
      continue;
    }
    const Found found = SlotOf(Unpack(packed), hash);
    if (found.slot == kClosed) continue;
    if (found.slot != 0) return &RecordAt(found.slot);
    if (found.place == nullptr || found.distance > kFar) {
      if (!Grow(shard, packed)) return nullptr;
      continue;
    }
    const uint64_t slot = NewRecord(hash);
    if (slot == 0) return nullptr;
    uint64_t expected = 0;
    if (found.place->compare_exchange_strong(expected, slot, std::memory_order_acq_rel)) {
      chunk_at_ += sizeof(Record);
      return &RecordAt(slot);
    }
  }
}

// What the slot of the next entry is to be, which counts when it is there. 0: there is no room.
uint64_t SharedStates::NewRecord(uint64_t hash) {
  if (chunk_end_ - chunk_at_ < sizeof(Record)) {
    const uint64_t chunk = Allocate(kChunkBytes);
    if (chunk == 0) return 0;
    chunk_at_ = chunk;
    chunk_end_ = chunk + kChunkBytes;
    Head().states.fetch_add(kChunkBytes / sizeof(Record), std::memory_order_relaxed);
  }
  const uint64_t slot = chunk_at_ / kLine | hash >> 32 << 32;
  StateEntry entry;
  entry.hash = hash;
  const auto words = std::bit_cast<std::array<uint64_t, 6>>(entry);
  for (size_t i = 0; i < words.size(); ++i)
    RecordAt(slot).words[i].store(words[i], std::memory_order_relaxed);
  return slot;
}

// Replaces the index `packed` by one with twice as many slots, if nobody else has. It is lost: all
// old ones together take as much as the last one.
bool SharedStates::Grow(Shard& shard, uint64_t packed) {
  constexpr uint64_t kFirstLog = 6;
  uint32_t free = 0;
  for (Patience patience; !shard.lock.compare_exchange_weak(free, 1, std::memory_order_acquire);
       free = 0)
    patience.Wait();
  bool done = true;
  if (shard.index.load(std::memory_order_relaxed) == packed) {
    const uint64_t log = packed == 0 ? kFirstLog : packed % kLine + 1;
    const uint64_t at = Allocate((uint64_t{1} << log) * sizeof(Slot));
    done = at != 0;
    if (done && packed != 0) Copy(Unpack(packed), Unpack(at + log));
    if (done) shard.index.store(at + log, std::memory_order_release);
  }
  shard.lock.store(0, std::memory_order_release);
  return done;
}

void SharedStates::Copy(const Index& from, const Index& to) const {
  for (uint64_t i = 0; i < from.slots; ++i) {
    uint64_t slot = 0;
    if (SlotsAt(from.at)[i].compare_exchange_strong(slot, kClosed, std::memory_order_acq_rel))
      continue;
    uint64_t at = FirstOf(slot, to);
    while (SlotsAt(to.at)[at].load(std::memory_order_relaxed) != 0) at = (at + 1) & (to.slots - 1);
    SlotsAt(to.at)[at].store(slot, std::memory_order_relaxed);
  }
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

}  // namespace heddle::explore
