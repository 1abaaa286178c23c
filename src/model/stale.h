// With how few stale accesses an execution graph can be run.
//
// An execution makes the accesses of a graph one after another. A load is *stale* if it does not
// read the newest write that was made by then, a store if it does not become the newest, an update
// if its load is. How many are depends on the order:
//
//   T0: W x 1   T1: R x 0        none, if T1 goes first; else one
//   T0: W x 1   T1: W y 1        store buffering: whoever goes first, the last load is stale
//       R y 0       R x 0
//
// The cost of a graph is the least number that any of its orders has: of linear extensions of porf,
// both halves of an update together. It is 0 if and only if the graph is sequentially consistent.
//
// What TruSt (trust.h) needs to know of it: the cost never falls on the way from a graph to what is
// made of it, so a graph that costs more than a bound can be dropped, and nothing is lost.
//
//   * Of a graph without some events that nothing else of it comes after, the cost is no higher:
//     leave them out of the best order. So it never falls when a graph is extended, or cut back
//     and extended in another way.
//   * Let `a` revisit `r` in G, and K be what is kept. D, what is deleted, and r were added
//     maximally: seen against K without `a` and older ones of D, each reads the newest write, or is
//     it. If K has a newer write than `a`, the best order of K and then D and r, by stamps, cost
//     what K does. Else `a` can come last in the best order of K, where it costs nothing (nothing
//     comes after it in porf, and it is the newest write), and D and r just before it; those of D
//     from its first write on that is newer than `a`, if it has one, just behind. That costs what K
//     does, too. So G costs no more than K, and K no more than the new graph, which has r besides.
//   * While two updates read one write for a moment, the same holds of G without the second: it
//     costs no more than K without it. That G itself is not asked for its cost.
//   * A use has no cost, and what it deletes is as above.
#pragma once

#include <cstdint>
#include <vector>

#include "model/graph.h"

namespace heddle::model {

// What has to be made before `store` is, if neither is stale: older writes, and what reads them. Of
// all of it one that was not made, or kNoEvent. What a write that was made had to wait for was made
// when that was. `own`: the other half of the store's update.
template <typename IsMade, typename IsStale>
EventId ToBeOverwritten(const ExecutionGraph& graph, const Event& store, EventId own,
                        IsMade is_made, IsStale is_stale) {
  for (Position p = store.position; p-- > 0;) {
    const EventId write = graph.WriteAt(store.label.location, p);
    const bool made = write < 0 || is_made(write);
    if (!made && !is_stale(write)) return write;
    for (EventId r = graph.At(write).first_reader; r != kNoEvent; r = graph.At(r).next_reader)
      if (r != own && !is_stale(r) && !is_made(r)) return r;
    if (made) break;
  }
  return kNoEvent;
}

class StaleAccesses {
 public:
  // False: the graph costs more than `most`. True: it does not, or that takes too long to tell.
  bool AtMost(const ExecutionGraph& graph, uint32_t most);
  // By event, after AtMost was true: there is an order in which no other access is stale. Of an
  // update both halves.
  const std::vector<uint8_t>& Stale() const { return stale_; }

 private:
  bool Search(const ExecutionGraph& graph, uint32_t left);
  bool Advance(const ExecutionGraph& graph);
  EventId WaitsFor(const ExecutionGraph& graph, EventId event, EventId own) const;
  void FindCycle(const ExecutionGraph& graph, std::vector<EventId>& may_be_stale) const;
  void SetStale(const ExecutionGraph& graph, EventId event, uint8_t stale);

  std::vector<uint8_t> stale_;
  std::vector<uint16_t> made_;  // by thread: so many of its events, in this order
  uint32_t tried_ = 0;          // sets of accesses
};

}  // namespace heddle::model
