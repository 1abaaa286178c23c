// What would forbid an execution: the smallest sets of stronger memory orders, or of fences, with
// which the models do not allow it any more.
//
// Stronger orders forbid more. So a set of places forbids the execution if it does with seq_cst
// everywhere, and of such sets the smallest are found first, then the weakest orders in each.
//
//   T0: x = 1 (rlx)   T1: a = y (rlx)     a = 1, b = 0:  release at y = 1, acquire at a = y
//       y = 1 (rlx)       b = x (rlx)                    or a release fence before y = 1, and an
//                                                        acquire fence before b = x
//
// The smallest sets, by hitting sets: a set that does not forbid is made as large as it can be
// without forbidding; then each set that forbids has one of the places that are left out. So only
// sets are tried that have one of each such rest. Only cycles count (relations.h).
#pragma once

#include <cstddef>
#include <vector>

#include "explain/recorded.h"

namespace heddle::explain {

// Of the same places as the execution has.
struct Remedies {
  // Each forbids, and nothing weaker of it does: the smallest first; sets of orders before sets of
  // fences of the same size.
  std::vector<Changes> sets;
  bool all_tried = true;  // no set of less changes was left out; with no sets: there is none
};

struct RemedyLimits {
  size_t most_changes = 8;
  size_t most_sets = 2;  // of orders, and of fences
  // How much is tried: of n events on cycles each trial costs up to n^3 steps (seq_cst), of which
  // thousands count as one, and at least n.
  size_t most_work = 300'000;
};

// `models`: each must forbid it; that of the search, and C11.  REQUIRES: each allows it as it is.
Remedies WhatForbids(const Recorded& execution, const std::vector<model::Consistency*>& models,
                     const RemedyLimits& limits = {});

}  // namespace heddle::explain
