#include "explore/registry.h"

#include <type_traits>

#include "base/check.h"
#include "explore/context_bounded.h"
#include "explore/depth_first.h"
#include "explore/por/inspect_dpor.h"
#include "explore/por/optimal_dpor.h"
#include "explore/por/sleep_sets.h"
#include "explore/por/source_dpor.h"
#include "explore/random_walk.h"

namespace heddle::explore {
namespace {

struct Maker {
  void* (*make_state)();
  std::unique_ptr<Explorer> (*make)(void* state, const Options& options, Spill* spill);
  void (*free_state)(void* state);
};

template <typename T>
constexpr Maker MakerOf() {
  using State = typename T::State;
  return {+[]() -> void* { return new State(); },
          +[](void* state, const Options& options, Spill* spill) -> std::unique_ptr<Explorer> {
            if constexpr (std::is_constructible_v<T, State*, const Options&, Spill*>) {
              return std::make_unique<T>(static_cast<State*>(state), options, spill);
            } else {
              return std::make_unique<T>(static_cast<State*>(state), options);
            }
          },
          +[](void* state) { delete static_cast<State*>(state); }};
}

// Without a reduction, by order; with one, by reduction: the order is that of its branches.
constexpr struct {
  space::Order order;
  Maker maker;
} kPlain[] = {
    {space::Order::kDepthFirst, MakerOf<DepthFirst>()},
    {space::Order::kContextBounded, MakerOf<ContextBounded>()},
    {space::Order::kRandom, MakerOf<RandomWalk>()},
};
constexpr struct {
  space::Reduction reduction;
  Maker maker;
} kReducing[] = {
    {space::Reduction::kSleepSets, MakerOf<SleepSets>()},
    {space::Reduction::kDpor, MakerOf<InspectDpor>()},
    {space::Reduction::kSource, MakerOf<SourceDpor>()},
    {space::Reduction::kOptimal, MakerOf<OptimalDpor>()},
};

const Maker* MakerAt(const space::Point& point) {
  for (const auto& entry : kReducing) {
    if (entry.reduction == point.reduction) return &entry.maker;
  }
  for (const auto& entry : kPlain) {
    if (entry.order == point.order && point.reduction == space::Reduction::kNone)
      return &entry.maker;
  }
  return nullptr;
}

}  // namespace

std::unique_ptr<Explorer> Entry::Attach(void* state, uint64_t seed, Spill* spill) const {
  Options options;
  options.seed = seed;
  options.preemptions = point.preemptions;
  options.walk =
      point.order == space::Order::kRandom ? WalkKind::kRandomBranch : WalkKind::kDepthFirst;
  return make(state, options, spill);
}

std::optional<Entry> Find(const space::Point& point) {
  if (!space::WhyNot(point).empty()) return std::nullopt;
  const Maker* maker = MakerAt(point);
  HEDDLE_CHECK(maker != nullptr);
  return Entry{point, maker->make_state, maker->make, maker->free_state};
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
