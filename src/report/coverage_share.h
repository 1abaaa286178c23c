// Which part of the program's happens-before graphs few preemptions reach.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/search_result.h"

namespace heddle::report {

// Does the search leave out executions that are equivalent to one that it runs?
bool Reduces(const SearchResult& result);

// Does it run, of the executions with a graph, one with the fewest preemptions? Of the reductions
// only `bounded`, from bound to bound: within a bound it runs nothing that has more.
bool MeetsLeast(const SearchResult& result);

// Which part of all graphs of the program at most 0, 1, 2 ... preemptions reach. Empty unless the
// search has counted all graphs, and each at its least.
std::vector<double> ShareByPreemptions(const SearchResult& result);

// "17 %": of a part that is not all never 100, and of one that is something never 0.
// REQUIRES: whole != 0.
std::string PercentText(uint64_t part, uint64_t whole);

}  // namespace heddle::report
