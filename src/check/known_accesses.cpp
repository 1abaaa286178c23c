#include "check/known_accesses.h"

#include <algorithm>

namespace heddle::check {

namespace {

const Cell* HeadOf(uintptr_t granule) {
  const Chunk* chunk = ChunkOf(granule);
  const Cell& head = chunk->cells[GranuleOf(granule)];
  return IsCurrent(head) ? &head : nullptr;
}

}  // namespace

template <typename Visit>
void KnownAccesses::ForEachCell(Visit visit) const {
  for (size_t i = 0; i < g_accessed_count; ++i) {
    const uintptr_t granule = g_accessed[i];
    const Cell* head = HeadOf(granule);
    if (head == nullptr || IsDead(granule)) continue;
    for (const Cell* cell = head; cell != nullptr; cell = cell->next)
      if (MaskOf(*cell) != 0) visit(granule, *cell);
  }
}

template <typename Visit>
void KnownAccesses::ForEachEpoch(History history, Visit visit) {
  if (history == 0) return;
  if ((history & kSharedBit) == 0)
    return visit(static_cast<op::ThreadId>((history >> 32) - 1), static_cast<uint32_t>(history));
  const auto& ticks = *reinterpret_cast<const trace::Clock*>(history & ~kSharedBit);
  for (op::ThreadId thread = 0; thread < ticks.Size(); ++thread)
    if (ticks.At(thread) != 0) visit(thread, ticks.At(thread));
}

bool KnownAccesses::IsDead(uintptr_t address) const {
  return std::ranges::any_of(
      dead_, [&](const Range& range) { return address - range.begin < range.end - range.begin; });
}

void KnownAccesses::Add(op::ThreadId thread, uint32_t tick) {
  if (thread >= kThreads || tick_count_ == kMostTicks) {
    too_much_ = true;
  } else if (!IsKnown(thread, tick)) {
    const uint64_t entry = uint64_t{thread} << 32 | tick;
    if (tick_count_ == 0 || ticks_[tick_count_ - 1] != entry) ticks_[tick_count_++] = entry;
  }
}

bool KnownAccesses::Begin(std::span<const trace::Clock* const> live, std::span<const Range> dead) {
  dead_ = dead;
  tick_count_ = 0;
  too_much_ = false;
  for (op::ThreadId thread = 0; thread < kThreads; ++thread) {
    known_[thread] = 0xffffffffu;
    for (const trace::Clock* clock : live)
      known_[thread] = std::min(known_[thread], clock->At(thread));
  }
  ForEachCell([&](uintptr_t, const Cell& cell) {
    const auto add = [&](op::ThreadId thread, uint32_t tick) { Add(thread, tick); };
    ForEachEpoch(cell.write, add);
    ForEachEpoch(cell.read, add);
  });
  return !too_much_;
}

void KnownAccesses::Remember(const trace::Clock& clock) {
  for (op::ThreadId thread = 0; thread < clock.Size(); ++thread)
    if (clock.At(thread) != 0) Add(thread, clock.At(thread));
}

void KnownAccesses::Sort() {
  std::sort(ticks_, ticks_ + tick_count_);
  tick_count_ = static_cast<uint32_t>(std::unique(ticks_, ticks_ + tick_count_) - ticks_);
  uint32_t at = 0;
  for (op::ThreadId thread = 0; thread <= kThreads; ++thread) {
    while (at < tick_count_ && ticks_[at] >> 32 < thread) ++at;
    first_[thread] = at;
  }
}

// How many of the thread's remembered ticks are not above `tick`.
uint32_t KnownAccesses::RankOf(op::ThreadId thread, uint32_t tick) const {
  const uint64_t* begin = ticks_ + first_[thread];
  const uint64_t* end = ticks_ + first_[thread + 1];
  return static_cast<uint32_t>(std::upper_bound(begin, end, uint64_t{thread} << 32 | tick) - begin);
}

uint64_t KnownAccesses::HashOf(History history) const {
  uint64_t sum = 0;
  ForEachEpoch(history, [&](op::ThreadId thread, uint32_t tick) {
    if (!IsKnown(thread, tick)) sum += base::MixTwo(thread + 1, RankOf(thread, tick));
  });
  return sum;
}

// What HashOf makes one word of.
void KnownAccesses::WriteDown(History history) const {
  ForEachEpoch(history, [&](op::ThreadId thread, uint32_t tick) {
    if (!IsKnown(thread, tick))
      base::g_transcript->Put(uint64_t{thread} << 32 | RankOf(thread, tick));
  });
  base::g_transcript->Put(~uint64_t{0});
}

// By bytes: how they are shared out among cells says nothing.
base::WideHash KnownAccesses::HashAccesses() const {
  base::WideHash sum;
  ForEachCell([&](uintptr_t granule, const Cell& cell) {
    const uint64_t write = HashOf(cell.write);
    const uint64_t read = HashOf(cell.read);
    if (write == 0 && read == 0) return;
    for (uint64_t left = MaskOf(cell); left != 0; left &= left - 1) {
      base::WideHash byte;
      byte.Put((granule + static_cast<uintptr_t>(__builtin_ctzll(left))) << 3 |
               static_cast<uint64_t>(AccessModeOf(cell)));
      byte.Put(write);
      byte.Put(read);
      if (base::g_transcript != nullptr) {
        WriteDown(cell.write);
        WriteDown(cell.read);
      }
      sum.Sum(byte);
    }
  });
  for (const AllowedRange* range = g_allowed; range != nullptr; range = range->next) {
    base::WideHash allowed;
    allowed.Put(range->begin);
    allowed.Put(range->end << 1 | (range->told_otherwise ? 1 : 0));
    sum.Sum(allowed);
  }
  return sum;
}

base::WideHash KnownAccesses::HashClock(const trace::Clock& clock) const {
  base::WideHash hash;
  const uint32_t size = std::min(clock.Size(), kThreads);
  for (op::ThreadId thread = 0; thread < size; ++thread) {
    if (first_[thread] == first_[thread + 1]) continue;
    const uint32_t rank = RankOf(thread, clock.At(thread));
    if (rank != 0) hash.Put(uint64_t{thread} << 32 | rank);
  }
  return hash;
}

}  // namespace heddle::check
