// RC11's condition on seq_cst accesses and fences: psc is acyclic.
//
//   scb  = po + po!=loc; hb; po!=loc + hb|loc + mo + fr
//   psc  = ([Esc] + [Fsc]; hb?); scb; ([Esc] + hb?; [Fsc])
//        + [Fsc]; (hb + hb; eco; hb); [Fsc]
//
// with Esc the seq_cst events and Fsc the seq_cst fences among them, po!=loc program order between
// events that are not accesses to one location, hb|loc happens-before between those that are, and
// eco = (rf + mo + fr)+. No order of all seq_cst events is assumed: fences by a global clock, as
// other checkers have them, forbid more than C++20 does.
//
// Source: Lahav et al., PLDI 2017, section 3.4. How it is evaluated here:
//   * eco between two accesses to a location is a comparison: a write's level is twice its position
//     in modification order, a load's is its write's plus one, and eco leads to higher levels.
//   * Edges within hb from or to a fence are left out: hb between fences, and what scb has beside
//     mo and fr. What happens after an event that a fence happens before, happens after the
//     fence, too. So if such an edge F, A is on a cycle, follow that from A to the first edge that
//     is not within hb (there is one, as hb has no cycle): it leaves an event that happens after F,
//     by mo, fr or eco, and so it leaves F as well, and the cycle is one without that edge.
//     Likewise for an edge A, F, backwards.
//   * So from a fence there is an edge if something that happens after it is below, by level, the
//     access or something that happens before the other fence; by eco between two fences, by mo or
//     fr, which lead to stores, if one of the two is an access.
//   * An event that is new can only be on a cycle by an edge that leaves it, by fr or mo. Only a
//     graph with such an event is searched, from it and from the fences that happen before it; and
//     of that graph only what those edges reach (ExecutionGraph::OldestReached).
#pragma once

#include <cstdint>
#include <vector>

#include "model/graph.h"

namespace heddle::model {

class PartialSc {
 public:
  // REQUIRES: nothing follows `access` in po or rf, except the store of its own update. Without it
  // there is no cycle.
  bool HasCycle(const ExecutionGraph& graph, EventId access);

 private:
  // Of the accesses to a location that happen after, or before, a fence.
  struct Levels {
    uint32_t lowest_after;          // kNone if there are none
    uint32_t highest_before;        // plus 1; 0 if there are none
    uint32_t highest_store_before;  // the same, of stores
  };

  void FindNodes();
  void FindLevels(EventId fence, Levels* levels) const;
  bool BeginsCycle(uint32_t node, EventId access) const;
  bool Search(uint32_t node);
  bool HasEdge(uint32_t from, uint32_t to) const;
  bool FenceToFence(uint32_t from, uint32_t to) const;
  bool FenceToAccess(uint32_t from, EventId to) const;
  bool AccessToFence(EventId from, uint32_t to) const;
  bool AccessToAccess(EventId from, EventId to) const;
  bool ByOtherLocations(EventId from, EventId to) const;
  bool EndHappensBefore(ThreadId thread, EventId event) const;
  uint32_t LevelOf(EventId access) const;
  const Levels& LevelsOf(uint32_t node, LocationId location) const {
    return levels_[node * graph_->Locations() + location];
  }

  const ExecutionGraph* graph_ = nullptr;
  EventId oldest_ = 0;  // nothing before it is on a cycle
  std::vector<EventId> nodes_;
  std::vector<Levels> levels_;  // by node and location, of fences
  enum class State : uint8_t { kNew, kOpen, kDone };
  std::vector<State> states_;
};

}  // namespace heddle::model
