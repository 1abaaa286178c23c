#include "explore/hb/context_bounds.h"

#include <algorithm>

namespace heddle::explore {

using op::ThreadId;

namespace {

// Of `threads`, which are not all of one, those from `first` on come before those below it.
ThreadId FirstInTurn(ThreadBits threads, ThreadId first) {
  const ThreadBits above = first < kMostThreads ? threads & (~ThreadBits{0} << first) : 0;
  return LowestOf(above != 0 ? above : threads);
}

// To whom a thread that is enabled may leave the turn for nothing: to itself; at a yield, to the
// next in turn (plan/plan.h), which is one of several if it is not known who is enabled.
ThreadBits FreeAfter(ThreadId thread, const Enabled& enabled) {
  const ThreadBits self = op::BitOf(thread);
  if ((enabled.yields & self) == 0) return self;
  ThreadBits free = self;
  ThreadBits unsure = enabled.may & ~enabled.enabled;
  for (const ThreadBits set : {enabled.enabled & ~enabled.yields, enabled.enabled}) {
    ThreadBits left = set | unsure;
    while (left != 0) {
      const ThreadBits next = op::BitOf(FirstInTurn(left, thread + 1));
      free |= next;
      if ((next & unsure) == 0) return free;
      left &= ~next;
    }
  }
  return free;
}

}  // namespace

bool ContextBounds::Knows(const StateEntry& entry, uint32_t bound) {
  if (entry.most == StateEntry::kUnknown) return false;
  return entry.most <= entry.searched || entry.less != 0 || entry.searched >= bound;
}

uint32_t ContextBounds::CostOf(const Bounds& bounds, const Enabled& enabled, ThreadId thread) {
  const bool early = (enabled.timeouts & op::BitOf(thread)) != 0;
  if (!early) return bounds.Of(thread);
  return bounds.OfState() + (enabled.enabled != 0 ? 1 : 0);
}

uint32_t ContextBounds::PriceOf(const Enabled& enabled, ThreadId last, ThreadId next) {
  if (next == op::kNoThread) return 0;
  if ((enabled.timeouts & op::BitOf(next)) != 0) return enabled.enabled != 0 ? 1 : 0;
  if ((enabled.enabled & op::BitOf(last)) == 0) return 0;
  return (FreeAfter(last, enabled) & op::BitOf(next)) != 0 ? 0 : 1;
}

bool ContextBounds::IsKnown(const Prefix& prefix, Bounds* bounds) const {
  if (prefix.size == 0) {
    *bounds = AtBeginning(prefix);
    return true;
  }
  if (const StateEntry entry = table_.Get(prefix.hash); Knows(entry, bound_)) {
    *bounds = {entry.most, entry.less};
    return true;
  }
  if (prefixes_.LeastPreemptions(prefix) <= bound_) return false;
  *bounds = {bound_ + 1, 0};
  return true;
}

// Main has made the beginning, if the program begins with a thread.
ContextBounds::Bounds ContextBounds::AtBeginning(const Prefix& prefix) const {
  const ThreadId starter = prefixes_.Starter();
  if (starter >= kMostThreads) return {0, 0};
  const Enabled enabled = prefixes_.EnabledAfter(prefix);
  if ((enabled.enabled & op::BitOf(starter)) == 0) return {0, 0};
  return {1, FreeAfter(starter, enabled)};
}

void ContextBounds::Push(const Prefix& prefix, ThreadId by) {
  frames_.push_back({prefixes_.Frontier(prefix), by, {}});
}

// All ways to arrive at the state are known.
ContextBounds::Bounds ContextBounds::Finish(const Prefix& prefix, const Frame& frame) {
  const Enabled enabled = prefixes_.EnabledAfter(prefix);
  Bounds bounds = {bound_ + 1, 0};
  for (const Arrival& arrival : frame.arrivals) {
    const bool preempts = (enabled.enabled & op::BitOf(arrival.thread)) != 0;
    bounds.most = std::min(bounds.most, arrival.cost + (preempts ? 1 : 0));
  }
  for (const Arrival& arrival : frame.arrivals) {
    if (arrival.cost < bounds.most) bounds.less |= FreeAfter(arrival.thread, enabled);
  }
  table_.Edit(prefix.hash, [&](StateEntry& entry) {
    entry.most = static_cast<uint8_t>(bounds.most);
    entry.less = bounds.less;
    entry.searched = static_cast<uint8_t>(bound_);
  });
  return bounds;
}

// Depth first through the predecessors, without recursion: `prefix` is the one that the last frame
// is about.
ContextBounds::Bounds ContextBounds::Of(const Prefix& whole) {
  Bounds bounds = {};
  if (IsKnown(whole, &bounds)) return bounds;
  Prefix prefix = whole;
  frames_.clear();
  Push(prefix, op::kNoThread);
  for (;;) {
    if (GaveUp()) return {bound_ + 1, 0};
    if (frames_.back().left != 0) {
      const auto thread = LowestOf(frames_.back().left);
      prefixes_.RemoveLast(prefix, thread);
      if (!IsKnown(prefix, &bounds)) {
        Push(prefix, thread);
        continue;
      }
      prefixes_.PutBack(prefix, thread);
      Arrive(prefix, thread, bounds);
    } else {
      bounds = Finish(prefix, frames_.back());
      const ThreadId by = frames_.back().by;
      frames_.pop_back();
      if (frames_.empty()) return bounds;
      prefixes_.PutBack(prefix, by);
      Arrive(prefix, by, bounds);
    }
  }
}

// One way to arrive at the state of the last frame is known: from a state with these bounds, by the
// last step of the thread.
void ContextBounds::Arrive(Prefix& prefix, ThreadId thread, const Bounds& before) {
  Frame& frame = frames_.back();
  frame.left &= ~op::BitOf(thread);
  uint32_t cost = before.Of(thread);
  if (prefixes_.MayBeTimeout(prefixes_.LastStepOf(prefix, thread))) {
    prefixes_.RemoveLast(prefix, thread);
    cost = CostOf(before, prefixes_.EnabledAfter(prefix), thread);
    prefixes_.PutBack(prefix, thread);
  }
  if (cost <= bound_) frame.arrivals.push_back({thread, cost});
}

}  // namespace heddle::explore
