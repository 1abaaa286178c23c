#include "explore/hb/linearise.h"

#include <algorithm>

#include "explore/hb/context_bounds.h"
#include "explore/hb/prefixes.h"
#include "explore/order/vain.h"

namespace heddle::explore {

using op::ThreadId;

namespace {

// The threads of the steps of `whole`, the last first, along a way of the least cost.
class WayBack {
 public:
  WayBack(const Prefixes& prefixes, ContextBounds& bounds) : prefixes_(prefixes), bounds_(bounds) {}

  std::vector<ThreadId> From(const Prefix& whole) {
    std::vector<ThreadId> way;
    Prefix state = whole;
    ThreadId after = op::kNoThread;  // whose step follows
    while (state.size > 0) {
      const ThreadId last = LastOf(state, after);
      prefixes_.RemoveLast(state, last);
      way.push_back(last);
      after = last;
    }
    return way;
  }

 private:
  // Of the threads that can have made the last step of `state`, one by which it is cheapest to go
  // on with `after`.
  ThreadId LastOf(Prefix& state, ThreadId after) {
    const Enabled enabled = prefixes_.EnabledAfter(state);
    ThreadId best = op::kNoThread;
    uint32_t least = ~0u;
    for (ThreadBits left = prefixes_.Frontier(state); left != 0; left &= left - 1) {
      const auto thread = LowestOf(left);
      prefixes_.RemoveLast(state, thread);
      const auto before = bounds_.Of(state);
      const uint32_t arrival = ContextBounds::CostOf(before, prefixes_.EnabledAfter(state), thread);
      prefixes_.PutBack(state, thread);
      const uint32_t cost = arrival + ContextBounds::PriceOf(enabled, thread, after);
      if (cost >= least) continue;
      least = cost;
      best = thread;
    }
    return best;
  }

  const Prefixes& prefixes_;
  ContextBounds& bounds_;
};

}  // namespace

std::optional<Linearisation> Linearise(const trace::Execution& complete, uint32_t below,
                                       uint64_t most_states, StopToken stop_token) {
  WithoutVain without_vain;
  const trace::Execution& execution = without_vain.Of(complete);
  if (execution.threads > kMostThreads || execution.steps.size() < 2) return std::nullopt;
  Prefixes prefixes;
  prefixes.Extend(execution, without_vain.Looks(), op::kNoThread, stop_token);
  if (stop_token.IsRequested()) return std::nullopt;
  const Prefix whole = prefixes.Whole();
  StateTable table;
  below = std::min(below, ContextBounds::kMostBound + 1);
  for (uint32_t bound = 0; bound < below; ++bound) {
    ContextBounds bounds(table, prefixes, bound, stop_token, most_states);
    const uint32_t cost = bounds.Of(whole).OfState();
    if (bounds.GaveUp()) return std::nullopt;
    if (cost > bound) continue;
    Linearisation result;
    result.cost = cost;
    result.script = WayBack(prefixes, bounds).From(whole);
    if (bounds.GaveUp()) return std::nullopt;
    std::ranges::reverse(result.script);
    for (StepIndex i = 0; i < prefixes.Size(); ++i) {
      const auto options = prefixes.Graph().OptionsOf(i);
      result.options.insert(result.options.end(), options.begin(), options.end());
    }
    return result;
  }
  return std::nullopt;
}

}  // namespace heddle::explore
