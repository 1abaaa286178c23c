#include "explore/coverage.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

namespace heddle::explore {
namespace {

// So few slots less, and with what heddle's heap keeps of a block (16 bytes) keys and preemptions
// fill blocks of a power of two.
constexpr uint64_t kSpared = 16;
// Slots of one table, in steps.
constexpr uint64_t kSteps[] = {64 - kSpared, 512 - kSpared, 8192 - kSpared, 65536 - kSpared};

}  // namespace

Coverage::Coverage(State* state, uint64_t max_slots)
    : state_(state),
      max_count_(max_slots / 4 * 3),
      max_slots_((max_slots >> kTableBits) - kSpared) {}

Observer::Then Coverage::OnExecution(const plan::Plan&, const trace::Execution& execution) {
  last_again_ = false;
  if (trace::ClassOf(execution.ending.kind) == trace::EndClass::kComplete) {
    const uint64_t again = state_->seen_again;
    const uint32_t preemptions = std::min(execution.Cost(), kMaxPreemptions);
    Add(execution.happens_before, static_cast<uint8_t>(preemptions));
    last_again_ = state_->seen_again != again;
  }
  return Then::kContinue;
}

// The slot that holds `key`, or the empty one where it belongs. The key is a hash already; its top
// bits have told the table.
uint64_t Coverage::Find(const Table& table, uint64_t key) {
  const uint64_t slots = table.keys.size();
  const uint64_t spread = key << kTableBits;
  auto slot = static_cast<uint64_t>(static_cast<unsigned __int128>(spread) * slots >> 64);
  while (table.keys[slot] != 0 && table.keys[slot] != key) slot = slot + 1 < slots ? slot + 1 : 0;
  return slot;
}

uint64_t Coverage::LargerThan(uint64_t slots) const {
  if (slots >= max_slots_) return 2 * slots;
  const auto* step = std::ranges::upper_bound(kSteps, slots);
  return std::min(step != std::end(kSteps) ? *step : 2 * slots, max_slots_);
}

void Coverage::Add(uint64_t hash, uint8_t preemptions) {
  State& s = *state_;
  const uint64_t key = hash == 0 ? 1 : hash;  // 0 marks an empty slot
  Table& table = s.tables[key >> (64 - kTableBits)];
  if (table.keys.empty()) Grow(table, LargerThan(0));
  uint64_t slot = Find(table, key);
  if (table.keys[slot] == key) {
    ++s.seen_again;
    if (preemptions >= table.least[slot]) return;
    --s.by_least[table.least[slot]];
  } else {
    if (s.count == max_count_) {
      s.overflowed = true;
      return;
    }
    // A table that has more than its share is filled up further.
    const uint64_t slots = table.keys.size();
    const bool crowded = 4 * (table.count + 1) > 3 * slots;
    const bool full = 16 * (table.count + 1) > 15 * slots;
    if (full || (crowded && slots < max_slots_)) {
      Grow(table, LargerThan(slots));
      slot = Find(table, key);
    }
    table.keys[slot] = key;
    ++table.count;
    ++s.count;
    s.sum += key;
  }
  table.least[slot] = preemptions;
  if (s.by_least.size() <= preemptions) s.by_least.resize(preemptions + 1u);
  ++s.by_least[preemptions];
}

void Coverage::Grow(Table& table, uint64_t slots) {
  const auto keys = std::exchange(table.keys, std::vector<uint64_t>(slots));
  const auto least = std::exchange(table.least, std::vector<uint8_t>(slots));
  for (size_t i = 0; i < keys.size(); ++i) {
    if (keys[i] == 0) continue;
    const uint64_t slot = Find(table, keys[i]);
    table.keys[slot] = keys[i];
    table.least[slot] = least[i];
  }
}

std::vector<uint64_t> Coverage::ByPreemptions() const {
  std::vector<uint64_t> result;
  uint64_t total = 0;
  for (uint64_t graphs : state_->by_least) result.push_back(total += graphs);
  while (result.size() > 1 && result[result.size() - 2] == total) result.pop_back();
  return result;
}

// Numbers of at most five significant bits: of those with 64 bits there are 16 for each of 60
// places of the highest, and 15 below 16.
bool Coverage::IsSampled(uint64_t executions) {
  return executions != 0 && executions >> std::countr_zero(executions) < 32;
}

void Coverage::Executed(uint64_t executions) {
  State& s = *state_;
  if (executions == s.executions) return;
  s.executions = executions;
  if (IsSampled(executions)) s.sampled.push_back({executions, s.count});
}

std::vector<Coverage::Point> Coverage::OverExecutions() const {
  const State& s = *state_;
  std::vector<Point> curve;
  const auto add = [&curve](const Point& point) {
    const size_t size = curve.size();
    const bool between = size >= 2 && curve[size - 2].graphs == point.graphs &&
                         curve[size - 1].graphs == point.graphs;
    if (between) curve.pop_back();
    curve.push_back(point);
  };
  for (const Point& point : s.sampled)
    if (point.executions != s.executions) add(point);
  if (s.executions != 0) add({s.executions, s.count});
  return curve;
}

}  // namespace heddle::explore
