#include "explore/execution_tree.h"

#include <algorithm>

#include "base/check.h"

namespace heddle::explore {

ExecutionTree::ExecutionTree(uint64_t memory_limit) : nodes_(kSpillAt, memory_limit) {
  nodes_.Grow();  // kNone
  nodes_.Grow();
  nodes_.Edit(kRoot) = {kNone, 0, 0, 1};
}

ExecutionTree::Id ExecutionTree::Add(Id parent, uint32_t step, uint32_t option) {
  if (free_ == kNone) {
    HEDDLE_CHECK(nodes_.Size() < UINT32_MAX);
    free_ = nodes_.Size();
    nodes_.Grow();
  }
  const Id id = free_;
  free_ = nodes_[id].parent;
  nodes_.Edit(id) = {parent, step, option, 1};
  ++nodes_.Edit(parent).successors;
  peak_ = std::max(peak_, ++size_);
  return id;
}

}  // namespace heddle::explore
