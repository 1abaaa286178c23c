// What a search without a reduction knows of the states that it has visited (plan/visited.h).
//
// Musuvathi and Qadeer, PLDI'07, section 3: Algorithm 1 with a table of work items, each a state
// and the thread that goes on; a search that comes to an item again returns. One Page Model
// Checking and every explicit-state model checker do the same without a bound.
//
// A search over schedules has no states to go back to, so it is the execution that ends: it asks
// where every thread stands before its next operation, from its last deviation on. What it has come
// through before, its own choice points, it leaves to the search (enumeration.h), so whatever can
// follow a state that is in the table was explored, or is still on the stack or in the queue. With
// a bound the key has the thread that ran last, too (StateVisit::cost_key): then what can follow
// costs the same. Context-bounded search comes to an item first as cheaply as it can be come to.
//
// The entry of an item has the one before it, where it was met first. These make a tree, and the
// execution in flight has come along a path of it: so an item that it meets lies on its own way,
// and closes a cycle, if that is an ancestor of where it is.
//
// With --exact a state that has the key of another one is told apart from it: it gets a key that
// follows from that one (Found), and is explored like any other.
//
// All ways between states are kept, to find livelocks in them (livelocks.h).
//
// Invariant: entries from `committed` on are the execution's in flight.
#pragma once

#include <cstdint>
#include <vector>

#include "explore/explorer.h"
#include "explore/visited/exact_states.h"
#include "explore/visited/key_table.h"
#include "explore/visited/livelocks.h"
#include "plan/visited.h"

namespace heddle::explore {

class VisitedStates {
 public:
  struct State {
    KeyTable items;
    KeyTable states;  // with a bound: whatever ran last
    KeyTable::Id committed = 0;
    KeyTable::Id committed_states = 0;
    KeyTable::Id at = KeyTable::kNone;  // where the execution was last
    uint32_t at_step = 0;               // the step that began there
    Livelocks::State livelocks;
    ExactStates exact;  // of the items, if they are compared
    ExactStates::Id committed_records = 0;
    bool compares = false;
    uint64_t collisions = 0;
    uint64_t committed_collisions = 0;
    std::vector<uint64_t> by_bound;  // states that were met first within that bound
    uint32_t bound = 0;              // of the execution in flight
    bool bounded = false;
    bool full = false;     // no more memory
    bool had_room = true;  // for all that the execution in flight visited
    uint64_t bytes = 0;    // of the tables, at most
  };

  // Before an execution with so much cost. False: the memory is used up.
  static bool Prepare(State& s, const Options& options, uint32_t bound);
  static plan::Visiting Of(State& s);
  // The execution was learnt from.
  static void Commit(State& s);

  static VisitedCount CountOf(const State& s) {
    return {s.bounded ? s.states.Size() : s.items.Size(), s.bytes, s.committed_collisions,
            s.by_bound};
  }
};

}  // namespace heddle::explore
