// Lines 8 and 9 of MSR-TR-2007-12, Algorithm 2, for the states that an execution comes to by
// itself.

#include "explore/hb/steering.h"

#include "explore/hb/cb_por.h"

namespace heddle::explore {

using op::ThreadId;

namespace {

class StateSteering final : public plan::Steering {
 public:
  ThreadId Thread(void* search, uint64_t graph, const op::ThreadSet& open,
                  const op::ThreadSet& early, ThreadId fallback) const override;
  bool LeadsOn(void* search, uint64_t graph, ThreadId only) const override;
  uint32_t Option(void* search, uint64_t graph, ThreadId thread, uint32_t options) const override;
};

constexpr StateSteering kSteering;

// Of several searches: is another one there, or has been?
bool IsOthers(const CbPor::State& s, const StateEntry& entry) {
  return s.table.IsShared() && (entry.claimed || entry.in_table);
}

ThreadId StateSteering::Thread(void* search, uint64_t graph, const op::ThreadSet& open,
                               const op::ThreadSet& early, ThreadId fallback) const {
  const CbPor::State& s = *static_cast<CbPor::State*>(search);
  if (open.Width() > 1) return fallback;
  const StateEntry entry = s.EntryOf(graph);
  if (IsOthers(s, entry)) return op::kNoThread;
  const ThreadBits closed = entry.NotNeeded();
  if ((closed & op::BitOf(fallback)) == 0) return fallback;
  if (s.IsBounded() && !ContextBounds::Knows(entry, s.bound)) return op::kNoThread;
  const ContextBounds::Bounds bounds = {entry.most, entry.less};
  for (ThreadBits left = open.Word(0) & ~closed; left != 0; left &= left - 1) {
    const auto thread = LowestOf(left);
    const uint32_t cost = early.Has(thread) ? bounds.OfState() + 1 : bounds.Of(thread);
    if (!s.IsBounded() || cost <= s.bound) return thread;
  }
  return op::kNoThread;
}

bool StateSteering::LeadsOn(void* search, uint64_t graph, ThreadId only) const {
  CbPor::State& s = *static_cast<CbPor::State*>(search);
  if (only >= kMostThreads) return true;
  const StateEntry entry = s.EntryOf(graph);
  if (!IsOthers(s, entry) && (entry.NotNeeded() & op::BitOf(only)) == 0) return true;
  s.away = {graph, only};
  return false;
}

uint32_t StateSteering::Option(void* search, uint64_t graph, ThreadId thread,
                               uint32_t options) const {
  CbPor::State& s = *static_cast<CbPor::State*>(search);
  CbPor::State::Trail& trail = s.trail;
  if (trail.graph != graph || trail.thread != thread) {
    trail = {graph, thread, OptionsKey(graph, thread)};
  }
  const ThreadBits closed = s.EntryOf(trail.key).NotNeeded();
  uint32_t option = 0;
  while (option < options && option < kMostThreads && (closed >> option & 1) != 0) ++option;
  if (option == options || option == kMostThreads) option = 0;
  trail.key = OptionsKeyAfter(trail.key, option);
  return option;
}

}  // namespace

const plan::Steering& SteeringByStates() { return kSteering; }

}  // namespace heddle::explore
