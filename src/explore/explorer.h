// An explorer decides what to run next and learns from what happened. One file per algorithm.
//
// All of an explorer's data lives in a State object of its own type, allocated with operator new
// and reachable from the pointer it was made with. In the program's process operator new is
// heddle's heap, which is shared memory at a fixed address: when the program kills its process, the
// next process makes the explorer again over the same State and goes on. So a State may hold
// std::vector and pointers, but no virtual functions and no pointers to code. It must be consistent
// whenever the program runs: between NextPlan and Learn.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "claim/incomplete.h"
#include "explore/bound_gate.h"
#include "explore/branch.h"
#include "explore/shared_memory.h"
#include "explore/stop_token.h"
#include "plan/plan.h"
#include "space/space.h"
#include "trace/execution.h"

namespace heddle::explore {

// Which open branch of the execution tree comes next (walk.h).
enum class WalkKind : uint8_t { kDepthFirst, kRandomBranch, kRanked };

struct Options {
  uint64_t seed = 1;
  WalkKind walk = WalkKind::kDepthFirst;  // of a search with a reduction
  space::Bound bound = {};
  bool iterates = false;              // with each bound up to that one, in turn
  bool early_timeouts = true;         // false, for context-bounded: only schedules without
  space::Point whole = {};            // what was asked for
  space::Priorities priorities = {};  // of best-first
  // Bytes: what a search in another order than depth first keeps in memory of the work that is
  // left.
  uint64_t memory_limit = 1u << 30;
  uint32_t depth = space::kDefaultDepth;  // of the bugs that pct aims at
  StopToken stop_token = {};
  // Others may have a part of the space (Split), now or later.
  bool parts = false;
  bool exact = false;  // --exact: states are compared, not only their hashes
  BoundGate gate = {};
  bool reads_stale = false;  // the target can let loads read older writes (plan::Plan::newer)
  SharedMemory shared = {};  // what all that search together have, if the search keeps a table
};
inline constexpr uint32_t kUnbounded = space::kUnbounded;

// Of a race condition, the schedule that was run before: what its executions deviate by, and the
// moment at which it shows (plan::EndAt).
struct OtherOrder {
  std::vector<plan::Deviation> deviations;
  uint32_t moment = 0;
};

// What a search with --visited keeps.
struct VisitedCount {
  uint64_t states = 0;
  uint64_t bytes = 0;                       // of the table, at most
  uint64_t collisions = 0;                  // states with the hash of another one (--exact)
  std::span<const uint64_t> by_bound = {};  // states that were met first within each bound
};

class Explorer {
 public:
  virtual ~Explorer() = default;
  // The next schedule to run; nothing when the space is exhausted.
  // ENSURES: the spans inside stay valid until Learn.
  virtual std::optional<plan::Plan> NextPlan() = 0;
  // What became of it. Called once after each NextPlan, with the execution that ran under that
  // plan.
  virtual void Learn(const trace::Execution& execution) = 0;
  // Parts with a branch of what is left: from here on this search leaves it out, and counts as
  // complete without it. Nothing if there is none to part with, or the search is one that cannot.
  // REQUIRES: called between Learn and NextPlan.
  virtual std::optional<Branch> Split() { return std::nullopt; }
  // The same, but not with a branch of which it is known that fewer executions come.
  virtual std::optional<Branch> SplitLarge(uint64_t least) {
    static_cast<void>(least);
    return Split();
  }
  // Makes a search that has not begun explore the branch, which a search of the same kind parted
  // with, and nothing else; one that takes more, this one, too. False if it cannot.
  virtual bool Take(const Branch& branch) {
    static_cast<void>(branch);
    return false;
  }
  // May it be given another branch whenever NextPlan has answered nothing? It has kept something
  // for later, or what was learnt.
  virtual bool TakesMore() const { return false; }
  // Of a search that explores bounds in turn behind a gate (Options::gate), after NextPlan answered
  // nothing: is there more with the next bound?
  virtual bool AwaitsBound() const { return false; }
  // All that is within the present bound was explored, by everybody: goes on with the next one.
  // Returns true if there is something here.
  virtual bool RaiseBound() { return false; }
  // Of a search that has parted with branches or has taken one: all have nothing left, and none of
  // them gets anything any more.
  virtual void EndTogether() {}
  // Others have a part of the space, and what was met here says that nobody may go on: the search
  // has to begin again, by itself (RestartWithoutSplitting).
  virtual bool BeginsAgain() const { return false; }
  // Makes a search that has not begun one that does without what made the last one begin again.
  virtual void RestartWithoutSplitting() {}
  // The bound being explored now (preemptions), and the highest one that is completed; -1 for none.
  virtual int64_t CurrentBound() const { return -1; }
  virtual int64_t CompletedBound() const { return -1; }
  // The same of a search that has parted with branches or has taken one: without what others have
  // to do with.
  virtual int64_t CompletedBoundAlone() const { return -1; }
  // After NextPlan answered nothing: has it shown by itself that nothing is left anywhere, whatever
  // it has parted with?
  virtual bool ProvesAll() const { return false; }
  // After NextPlan answered nothing: was the whole space explored, with no schedule left out
  // because of a bound?
  virtual bool Complete() const { return false; }
  // Of the executions that ran to an end, those that had been explored already.
  virtual uint64_t RanAgain() const { return 0; }
  // Nodes of the execution tree now (execution_tree.h), and the most that there were at a time; or
  // what the search keeps in its place.
  virtual uint64_t Nodes() const { return 0; }
  virtual uint64_t PeakNodes() const { return 0; }
  // Nothing without --visited.
  virtual std::optional<VisitedCount> Visited() const { return std::nullopt; }
  // Of several searches in turn, the one that the last execution belongs to; nothing if this is one
  // search only.
  virtual std::optional<space::Point> FoundBy() const { return std::nullopt; }
  // Of an order that draws schedules and says how likely a bug is to be met: the most choices of
  // threads that an execution had.
  virtual uint32_t MostChoices() const { return 0; }
  // Of the race condition that the last execution ended by.
  virtual std::optional<OtherOrder> Other() const { return std::nullopt; }
  // What it could not do, of what it was asked for.
  virtual std::optional<claim::Incomplete> Gap() const { return std::nullopt; }
};

}  // namespace heddle::explore
