#include "explore/coverage.h"

#include <algorithm>
#include <utility>

namespace heddle::explore {
namespace {

constexpr uint64_t kFirstSlots = 1024;

// Did the execution run to an end, so that its graph is that of a whole execution?
bool IsWhole(trace::EndKind kind) {
  switch (kind) {
    case trace::EndKind::kExit:
    case trace::EndKind::kDeadlock:
    case trace::EndKind::kLivelock:
    case trace::EndKind::kAssertion:
    case trace::EndKind::kAbort:
    case trace::EndKind::kCrash:
    case trace::EndKind::kUncaughtException:
    case trace::EndKind::kDoubleFree:
    case trace::EndKind::kInvariant:
    case trace::EndKind::kMisuse:
      return true;
    case trace::EndKind::kRunning:
    case trace::EndKind::kHang:
    case trace::EndKind::kDied:
    case trace::EndKind::kRedundant:
    case trace::EndKind::kDiverged:
    case trace::EndKind::kUnsupported:
    case trace::EndKind::kRestart:
    case trace::EndKind::kGrew:
      return false;
  }
  return false;
}

}  // namespace

Coverage::Coverage(State* state, uint64_t max_slots) : state_(state), max_slots_(max_slots) {
  if (!state_->keys.empty()) return;
  state_->keys.resize(std::min(kFirstSlots, max_slots));
  state_->least.resize(state_->keys.size());
}

Observer::Verdict Coverage::OnExecution(const plan::Plan&, const trace::Execution& execution) {
  if (IsWhole(execution.ending.kind)) {
    const uint32_t preemptions = std::min(execution.Cost(), kMaxPreemptions);
    Add(execution.happens_before, static_cast<uint8_t>(preemptions));
  }
  return Verdict::kContinue;
}

// The slot that holds `key`, or the empty one where it belongs. The key is a hash already.
uint64_t Coverage::Find(uint64_t key) const {
  const auto& keys = state_->keys;
  const uint64_t mask = keys.size() - 1;
  uint64_t slot = key & mask;
  while (keys[slot] != 0 && keys[slot] != key) slot = (slot + 1) & mask;
  return slot;
}

void Coverage::Add(uint64_t hash, uint8_t preemptions) {
  State& s = *state_;
  const uint64_t key = hash == 0 ? 1 : hash;  // 0 marks an empty slot
  uint64_t slot = Find(key);
  if (s.keys[slot] == key) {
    if (preemptions >= s.least[slot]) return;
    --s.by_least[s.least[slot]];
  } else {
    if (s.overflowed) return;
    if (4 * (s.count + 1) > 3 * s.keys.size()) {
      if (2 * s.keys.size() > max_slots_) {
        s.overflowed = true;
        return;
      }
      Grow();
      slot = Find(key);
    }
    s.keys[slot] = key;
    ++s.count;
  }
  s.least[slot] = preemptions;
  if (s.by_least.size() <= preemptions) s.by_least.resize(preemptions + 1u);
  ++s.by_least[preemptions];
}

void Coverage::Grow() {
  State& s = *state_;
  const auto keys = std::exchange(s.keys, std::vector<uint64_t>(2 * s.keys.size()));
  const auto least = std::exchange(s.least, std::vector<uint8_t>(2 * s.least.size()));
  for (size_t i = 0; i < keys.size(); ++i) {
    if (keys[i] == 0) continue;
    const uint64_t slot = Find(keys[i]);
    s.keys[slot] = keys[i];
    s.least[slot] = least[i];
  }
}

std::vector<uint64_t> Coverage::ByPreemptions() const {
  std::vector<uint64_t> result;
  uint64_t total = 0;
  for (uint64_t graphs : state_->by_least) result.push_back(total += graphs);
  while (result.size() > 1 && result[result.size() - 2] == total) result.pop_back();
  return result;
}

}  // namespace heddle::explore
