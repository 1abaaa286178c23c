#include "explore/best/walk.h"

#include "base/check.h"
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

RankedWalk::RankedWalk(State* state, const Options& options, Spill* spill)
    : s_(*state),
      spill_(spill),
      ranking_(options.priorities, options.seed),
      memory_limit_(options.memory_limit) {
  s_.ranks.SetSpill(spill);
}

void RankedWalk::Add(Id branch, const BacktrackingPoint& facts) {
  while (s_.ranks.Size() <= branch) s_.ranks.Grow();
  s_.ranks.Edit(branch) = ranking_.Of(facts);
}

void RankedWalk::Open(Id branch) {
  s_.fringe.Push(s_.ranks[branch], {branch, 0, 0}, memory_limit_, spill_);
}

void RankedWalk::Joins(Id eldest, Id younger) {
  if (s_.ranks[younger] >= s_.ranks[eldest]) return;
  s_.fringe.Push(s_.ranks[younger], {eldest, 0, 0}, memory_limit_, spill_);
}

// As above, what was taken meanwhile is thrown out when it comes up.
ExecutionTree::Id RankedWalk::Next(const Branches& branches) {
  while (const auto entry = s_.fringe.Pop(spill_)) {
    if (branches.IsOpen(entry->execution)) return entry->execution;
  }
  return ExecutionTree::kNone;
}

std::unique_ptr<Walk> MakeWalk(Walk::State* state, const Options& options, Spill* spill) {
  switch (options.walk) {
    case WalkKind::kDepthFirst:
      return std::make_unique<DepthFirstWalk>();
    case WalkKind::kRandomBranch:
      return std::make_unique<RandomBranchWalk>(state);
    case WalkKind::kRanked:
      return std::make_unique<RankedWalk>(state, options, spill);
  }
  HEDDLE_CHECK(false);
  __builtin_unreachable();
}

}  // namespace heddle::explore
