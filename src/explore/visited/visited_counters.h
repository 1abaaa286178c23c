// What --visited counters knows of what it has visited (plan/visited.h): the combined execution
// counters, and with each what the threads shared when it was met first.
//
// Holt, "The One Page Model Checker", section 6. Two partial interleavings with the same combined
// execution counter form a race condition if they differ. If they do not, the second one need not
// be explored again.
//
// Our differences:
//   * Any number of threads.
//   * A table entry is 24 bytes and two hashes of 128 bits, as section 10 proposes, and the place
//   in
//     the execution tree (execution_tree.h) from which the schedule that led there can be told. The
//     paper keeps the whole trace, n^3 in all.
//   * A search that goes on behind a race condition takes what differs for another state, and
//     explores it. The paper says nothing of that.
//   * What is shared and what decides whether to go on may be two things (StateVisit): where all
//   memory
//     is compared, a thread's stack is not shared, but counts.
//
// Every move of a thread raises its counter, so no execution comes to a state twice, and what is in
// the table is explored, or has its open options on the stack.
//
// Invariant: entries from `committed` on are the execution's in flight.
#pragma once

#include <cstdint>
#include <vector>

#include "explore/execution_tree.h"
#include "explore/explorer.h"
#include "explore/visited/key_table.h"
#include "plan/visited.h"

namespace heddle::explore {

class VisitedCounters {
 public:
  static constexpr uint32_t kMostTold = 1000;

  struct State {
    KeyTable counters;                      // its Id is the index into the next two
    std::vector<plan::Key> shared;          // when it was met first
    std::vector<ExecutionTree::Id> met_by;  // the execution that met it
    KeyTable states;                        // counters, and all that is compared
    KeyTable::Id committed = 0;
    KeyTable::Id committed_states = 0;
    // Of the race condition that ended the execution in flight; kNone: none did.
    KeyTable::Id differs = KeyTable::kNone;
    std::vector<uintptr_t> told;  // where race conditions showed: they are not told again
    bool full = false;            // no more memory
    bool lost = false;            // an execution had no room for all that it visited
  };

  // Before an execution. False: the memory is used up.
  static bool Prepare(State& s, const Options& options);
  static plan::Visiting Of(State& s);
  // The execution `by` was learnt from. True: it has met something new.
  static bool Commit(State& s, ExecutionTree::Id by);
  // It ended by a race condition at `pc`, and will be run again.
  static void Tell(State& s, uintptr_t pc);
};

}  // namespace heddle::explore
