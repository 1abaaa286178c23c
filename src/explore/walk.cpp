#include "explore/walk.h"

#include "base/hash.h"

namespace heddle::explore {

// What was taken meanwhile, or is no longer the eldest of its place, is thrown out when it is
// drawn.
ExecutionTree::Id RandomBranchWalk::Next(const Branches& branches) {
  while (!s_.open.empty()) {
    const size_t drawn = base::NextRandom(s_.random) % s_.open.size();
    const Id branch = s_.open[drawn];
    s_.open[drawn] = s_.open.back();
    s_.open.pop_back();
    if (branches.IsOpen(branch)) return branch;
  }
  return ExecutionTree::kNone;
}

}  // namespace heddle::explore
