// The results of searches that had a part each of one search, as the result of that search: of the
// jobs of one `heddle check`, or of pieces that were explored elsewhere.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "report/search_result.h"

namespace heddle::report {

// A happens-before graph that was seen: its hash, and the least preemptions and early timeouts by
// which.
struct Graph {
  uint64_t hash;
  uint64_t least;
};

struct PartOfResult {
  SearchResult result;
  std::vector<Graph> graphs;  // all that it has seen, in any order
  bool graphs_known = true;   // else `graphs` lacks some
  // What it explored is thrown away (more became visible elsewhere): its findings are real, and
  // nothing else of it counts.
  bool findings_only = false;
};

// How the whole search ended.
struct EndOfParts {
  channel::Stop stop = channel::Stop::kNone;
  bool nothing_left = false;  // every branch was explored by one of the parts
  // One part has shown that there is nothing else, whatever the others did: its index; -1: none.
  int64_t proved_by = -1;
  // Of bounds that all parts explored in turn, the last that is through; -1: none, or no such
  // search.
  int64_t completed_bound = -1;
  bool out_of_control = false;  // a part got out of control, or kept dying
  // Of parts[0], before there was another: up to there its curve over executions is that of all.
  uint64_t executions_alone = 0;
};

// REQUIRES: the parts are of one search, and parts[0], which began it, counts in full.
// ENSURES: executions, outcomes and the like are added up; a graph that two parts have seen counts
// once, and so does a finding; nothing is claimed that does not hold for all parts together.
SearchResult MergeResults(std::span<const PartOfResult> parts, const EndOfParts& end);

}  // namespace heddle::report
