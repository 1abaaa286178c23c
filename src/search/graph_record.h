// The execution graph of what ran last, as the report gets it.
#pragma once

#include <cstddef>
#include <vector>

namespace heddle::search {

// A channel::WeakGraphRecord and what follows it. Empty: the execution was not under tso or c11.
std::vector<std::byte> GraphOfLastExecution();

// Writes it to the report, if there is one.
void WriteGraph(const std::vector<std::byte>& graph);

}  // namespace heddle::search
