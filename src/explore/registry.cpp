#include "explore/registry.h"

#include <type_traits>

#include "explore/context_bounded.h"
#include "explore/depth_first.h"
#include "explore/por/inspect_dpor.h"
#include "explore/por/optimal_dpor.h"
#include "explore/por/sleep_sets.h"
#include "explore/por/source_dpor.h"
#include "explore/random_walk.h"

namespace heddle::explore {
namespace {

template <typename T>
constexpr Entry EntryOf(std::string_view name) {
  using State = typename T::State;
  return {name, +[]() -> void* { return new State(); },
          +[](void* state, const Options& options, Spill* spill) -> std::unique_ptr<Explorer> {
            if constexpr (std::is_constructible_v<T, State*, const Options&, Spill*>) {
              return std::make_unique<T>(static_cast<State*>(state), options, spill);
            } else {
              return std::make_unique<T>(static_cast<State*>(state), options);
            }
          },
          +[](void* state) { delete static_cast<State*>(state); }};
}

constexpr Entry kEntries[] = {
    EntryOf<DepthFirst>("depth-first"), EntryOf<ContextBounded>("context-bounded"),
    EntryOf<RandomWalk>("random"),      EntryOf<SleepSets>("sleep-sets"),
    EntryOf<InspectDpor>("dpor"),       EntryOf<SourceDpor>("source"),
    EntryOf<OptimalDpor>("optimal"),
};

}  // namespace

std::span<const Entry> Entries() { return kEntries; }

const Entry* FindEntry(std::string_view name) {
  for (const Entry& entry : kEntries) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

}  // namespace heddle::explore
