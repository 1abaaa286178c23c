#include "explore/compose/registry.h"

#include <type_traits>

#include "base/check.h"
#include "explore/best/best_first.h"
#include "explore/compose/escalating.h"
#include "explore/enumerate/context_bounded.h"
#include "explore/enumerate/depth_first.h"
#include "explore/enumerate/one_page.h"
#include "explore/hb/cb_por.h"
#include "explore/por/bounded_dpor.h"
#include "explore/por/inspect_dpor.h"
#include "explore/por/optimal_dpor.h"
#include "explore/por/sleep_sets.h"
#include "explore/por/source_dpor.h"
#include "explore/random_walk.h"
#include "explore/rf/reads_from.h"
#include "explore/sample/pct.h"
#include "explore/sample/pos.h"
#include "explore/sample/rff.h"
#include "explore/sample/surw.h"

namespace heddle::explore {
namespace {

template <typename T>
Entry EntryOf(const space::Point& point) {
  using State = typename T::State;
  return {point, +[]() -> void* { return new State(); },
          +[](void* state, const Options& options, Spill* spill) -> std::unique_ptr<Explorer> {
            if constexpr (std::is_constructible_v<T, State*, const Options&, Spill*>) {
              return std::make_unique<T>(static_cast<State*>(state), options, spill);
            } else {
              return std::make_unique<T>(static_cast<State*>(state), options);
            }
          },
          +[](void* state) { delete static_cast<State*>(state); }};
}

Entry PlainEntry(const space::Point& point) {
  switch (point.order) {
    case space::Order::kDepthFirst:
      if (point.visited == space::Visited::kCounters) return EntryOf<OnePage>(point);
      return point.bound.iterate ? EntryOf<ContextBounded>(point) : EntryOf<DepthFirst>(point);
    case space::Order::kContextBounded:
      return EntryOf<ContextBounded>(point);
    case space::Order::kRandom:
      return EntryOf<RandomWalk>(point);
    case space::Order::kBestFirst:
      return EntryOf<BestFirst>(point);
    case space::Order::kEscalating:
      break;  // EntryAt
    case space::Order::kPct:
      return EntryOf<Pct>(point);
    case space::Order::kPos:
      return EntryOf<Pos>(point);
    case space::Order::kSurw:
      return EntryOf<Surw>(point);
    case space::Order::kRff:
      return EntryOf<Rff>(point);
  }
  HEDDLE_CHECK(false);  // no value of the axis
  __builtin_unreachable();
}

// With a reduction, the order is that of its branches.
Entry EntryAt(const space::Point& point) {
  if (point.order == space::Order::kEscalating) return EntryOf<Escalating>(point);
  switch (point.reduction) {
    case space::Reduction::kNone:
      return PlainEntry(point);
    case space::Reduction::kSleepSets:
      return EntryOf<SleepSets>(point);
    case space::Reduction::kDpor:
      return EntryOf<InspectDpor>(point);
    case space::Reduction::kSource:
      return EntryOf<SourceDpor>(point);
    case space::Reduction::kOptimal:
      return EntryOf<OptimalDpor>(point);
    case space::Reduction::kHappensBefore:
      return EntryOf<HappensBefore>(point);
    case space::Reduction::kHappensBeforeAll:
      return EntryOf<HappensBeforeAll>(point);
    case space::Reduction::kBounded:
      return EntryOf<BoundedDpor>(point);
    case space::Reduction::kReadsFrom:
      return EntryOf<ReadsFrom>(point);
  }
  HEDDLE_CHECK(false);  // no value of the axis
  __builtin_unreachable();
}

WalkKind WalkOf(space::Order order) {
  if (order == space::Order::kRandom) return WalkKind::kRandomBranch;
  return order == space::Order::kBestFirst ? WalkKind::kRanked : WalkKind::kDepthFirst;
}

}  // namespace

std::unique_ptr<Explorer> Entry::Attach(void* state, uint64_t seed, Spill* spill,
                                        StopToken stop_token, uint64_t memory_limit,
                                        const Peers& peers, bool exact) const {
  Options options;
  options.exact = exact;
  options.parts = peers.parts;
  options.reads_stale = peers.reads_stale;
  options.gate = peers.gate;
  options.shared = peers.shared;
  options.stop_token = stop_token;
  options.seed = seed;
  options.bound = point.bound;
  if (point.depth != 0) options.depth = point.depth;
  options.iterates = point.order == space::Order::kContextBounded;
  options.walk = WalkOf(point.order);
  options.whole = point;
  options.priorities = point.priorities;
  if (memory_limit != 0) options.memory_limit = memory_limit;
  return make(state, options, spill);
}

std::optional<Entry> Find(const space::Point& point) {
  if (!space::WhyNot(point).empty()) return std::nullopt;
  return EntryAt(point);
}

std::vector<Entry> Entries() {
  std::vector<Entry> entries;
  for (size_t order = 0; order < space::OrderAxis().values.size(); ++order) {
    for (size_t reduction = 0; reduction < space::ReductionAxis().values.size(); ++reduction) {
      const auto entry =
          Find({static_cast<space::Order>(order), static_cast<space::Reduction>(reduction)});
      if (entry) entries.push_back(*entry);
    }
  }
  return entries;
}

}  // namespace heddle::explore
