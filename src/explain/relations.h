// What comes before what in one total order of all events, if there were one: program order,
// reads-from, modification order, from-read, and what locks and joins order. There is none if these
// have a cycle; the execution is then not sequentially consistent.
//
// Both halves of an update are one node, called by its load.
#pragma once

#include <cstdint>
#include <vector>

#include "explain/recorded.h"

namespace heddle::explain {

enum class Relation : uint8_t {
  kProgramOrder,
  kReadsFrom,          // the write, then what reads it
  kModificationOrder,  // the older of two writes to a location, then the newer one
  kFromRead,           // what reads an older write, then the newer one
  kSynchronises,       // locks, creation, joins: in each model
};

struct Edge {
  EventId from, to;
  Relation relation;
  bool operator==(const Edge&) const = default;
};

class Relations {
 public:
  explicit Relations(const Recorded& execution);

  EventId NodeOf(EventId event) const { return node_[static_cast<size_t>(event)]; }
  // Of each thread its nodes, in program order.
  const std::vector<EventId>& ThreadOf(EventId node) const {
    return threads_[execution_.At(node).thread];
  }
  // Where in its thread's.
  size_t IndexOf(EventId node) const { return index_[static_cast<size_t>(node)]; }
  // Of each location its writes as events, in modification order; from the second half of an
  // update.
  const std::vector<EventId>& WritesOf(model::LocationId location) const;
  // How many of these are no newer than the write, or than what the load reads.
  size_t LevelOf(EventId write) const;
  size_t ReadLevel(EventId load) const;

  // The edges to the nearest ones: all others follow from these.
  std::vector<Edge> Nearest() const;
  // By an edge of Nearest, but not in program order.
  const std::vector<Edge>& Across(EventId node) const { return across_[static_cast<size_t>(node)]; }

 private:
  void AddAcross(EventId from, EventId to, Relation relation);

  const Recorded& execution_;
  std::vector<EventId> node_;  // by event
  std::vector<size_t> index_;  // by node
  std::vector<std::vector<EventId>> threads_;
  std::vector<std::vector<EventId>> writes_;  // by location
  const std::vector<EventId> none_;           // writes to a location that has none
  std::vector<std::vector<Edge>> across_;     // by node
};

// Which events lie on a cycle, however long.
std::vector<bool> OnCycles(const Recorded& execution);

// Those, and what they read from: a model allows this part of the execution, with changes or
// without, if it allows all of it. For what a model forbids is a cycle, and what leads from one
// event of a cycle to another one is on it, too.  REQUIRES: C11 allows the execution.
struct Part {
  Recorded execution;
  std::vector<EventId> events;  // what each was
};
Part CyclesOf(const Recorded& execution);

// The shortest cycle, or one of them, from its oldest event on; empty: the execution is
// sequentially consistent.
std::vector<Edge> ShortestCycle(const Recorded& execution);

}  // namespace heddle::explain
