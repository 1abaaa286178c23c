// What tells one execution of a program from another, so that two enumerations can be compared
// graph by graph.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "program.h"

namespace heddle::litmus {

struct Graph {
  // Of each event that reads (a read-modify-write is one event), what it reads.
  std::map<EventName, EventName> reads_from;
  // Of each location its writes, main's first (left out). Of a compare-exchange only where it
  // succeeded.
  std::vector<std::vector<EventName>> modification_orders;
  std::vector<std::vector<EventName>> chains;  // of each object its uses
  auto operator<=>(const Graph&) const = default;
};

// All of it in 64 bits: what instructions did follows from what they read.
uint64_t Hash(const Graph& graph);

}  // namespace heddle::litmus
