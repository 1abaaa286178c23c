// Data races: two accesses to one location, not both atomic and one of them a write, of which
// neither happens before the other. The same under every model: under sc and tso, too, relaxed
// accesses order nothing for the language.
#pragma once

#include <optional>

#include "model/graph.h"

namespace heddle::model {

struct Race {
  EventId first, second;  // in order of their stamps
};

std::optional<Race> FindRace(const ExecutionGraph& graph);

}  // namespace heddle::model
