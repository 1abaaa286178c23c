// Livelocks of a search by states, whichever executions they are made of. An execution ends at a
// state that is known, so it goes round a cycle itself only where that lies on its own way. Others
// are closed by the ways of several executions. So every edge of the graph of states is kept, with
// what the step was (step_labels.h): those to the state before it where a state was met first, and
// those by which executions came to known states. Now and then, and when nothing else is left, the
// search looks for fair cycles in that graph (fair_cycles.h).
//
// What is found there is no finding yet: the search has a plan run that goes to the cycle and
// round it once, and the execution says itself whether it was in the same state again, and whether
// the cycle is a livelock (runtime/states/visiting.h). So nothing is told that did not happen, and
// a schedule shows it. The same of loops that give way to nobody: a warning.
//
// What cannot be excluded weakens the result: an edge that could not be kept; a cycle of which the
// execution did not say the same.
//
// An edge costs 16 bytes (the first one to a state 4), and looking for cycles takes up to 40 bytes
// for each while it lasts. If that does not go into the memory that there is, edges are given up
// before states are.
//
// Invariant: what is beyond `committed` is the execution's in flight.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "claim/incomplete.h"
#include "explore/visited/fair_cycles.h"
#include "explore/visited/key_table.h"
#include "explore/visited/step_labels.h"
#include "plan/plan.h"
#include "trace/execution.h"

namespace heddle::explore {

class Livelocks {
 public:
  struct State {
    StepLabels labels;
    std::vector<StepLabels::Id> made_by;  // by state: the step from the one before
    std::vector<StateEdge> closing;       // to states that were known
    StepLabels::Id committed_labels = 0;
    size_t committed_closing = 0;
    bool dropped = false;  // there was no memory for edges
    bool lost = false;     // one is not known
    bool unclear = false;  // a cycle of which it is not known whether it is a livelock
    bool depth_first = false;
    bool has_cycle = false;  // an execution went round one
    bool to_look = false;    // since the last look
    size_t looked_at = 0;    // edges, at that
    bool looked_at_end = false;
    std::vector<StateWalk> found;  // not gone round yet, the last one first
    std::vector<uint64_t> gone;    // names of those that were
    bool in_flight = false;        // a plan goes round one
    bool fair = false;             // which is fair
    std::vector<op::ThreadId> script;
    std::vector<plan::ScriptOption> options;
  };

  // Before an execution that may come to so many new states. `beside`: bytes in use otherwise.
  static void Prepare(State& s, const KeyTable& items, uint32_t room, uint64_t beside,
                      uint64_t limit);
  static uint64_t Bytes(const State& s);

  // While an execution runs. It begins, perhaps once more.
  static void Begin(State& s, KeyTable::Id committed);
  // It came from `from` to a new state, the last of `items`; to a known one.
  static void NoteNew(State& s, const KeyTable& items, KeyTable::Id from,
                      const plan::MadeStep* made);
  static void NoteKnown(State& s, KeyTable::Id from, KeyTable::Id to, const plan::MadeStep* made,
                        bool closes_own);
  // It was learnt from.
  static void Commit(State& s);

  // A plan that goes round a cycle, if one is found. `at_end`: nothing else is left to be run.
  static std::optional<plan::Plan> NextPlan(State& s, const KeyTable& items, bool at_end);
  // Was it such a plan that has run? Then there is nothing else to learn from it.
  static bool Learn(State& s, const trace::Execution& execution);
  // Can there be livelocks that were not told? Null: no.
  static std::optional<claim::Incomplete> Gap(const State& s);

 private:
  static bool IsDue(const State& s, const KeyTable& items, bool at_end);
  static void Look(State& s, const KeyTable& items, bool at_end);
  static bool GoThere(State& s, const KeyTable& items, KeyTable::Id state);
  static bool Append(State& s, StepLabels::Id label, uint32_t steps);
};

}  // namespace heddle::explore
