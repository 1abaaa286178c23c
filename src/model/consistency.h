// Memory models: which execution graphs (graph.h) are executions.
//
// A graph is built event by event, each after what it reads from, so a model only answers for the
// newest event of a thread: of which writes it is too late to be ordered before (the floor), and
// whether the rest of the axioms hold. Of every consistent graph all parts that are closed under
// po + rf + chains are consistent; and one more event is always possible: a load may read the
// newest write, a store become it, a use come at the end of its object's chain (it has no floor).
//
// A class a model, in a file of its own: sequential.cpp, tso.cpp, c11.cpp.
#pragma once

#include <memory>

#include "model/graph.h"
#include "space/space.h"

namespace heddle::model {

class Consistency {
 public:
  virtual ~Consistency() = default;

  // A load or store, `access`, may read from, or stand directly after, the write at this position
  // and newer ones, as far as coherence goes. What a load reads now does not matter.
  // REQUIRES: nothing follows `access` in po or rf; if it is a store, it is its location's newest.
  virtual Position Floor(const ExecutionGraph& graph, EventId access) = 0;

  // What the floor does not tell.
  // REQUIRES: nothing follows `access` in po or rf, except the store of its own update. The graph
  // is consistent but for `access`, which is not below its floor.
  virtual bool Allows(const ExecutionGraph& graph, EventId access) = 0;
};

// Sequential consistency: po + rf + mo + fr is acyclic.
std::unique_ptr<Consistency> MakeSequential();
// Total store order, of x86 (tso.cpp).
std::unique_ptr<Consistency> MakeTso();
// C11's and C++20's, as RC11 has it (c11.cpp).
std::unique_ptr<Consistency> MakeC11();
// The one of that name.
std::unique_ptr<Consistency> Make(space::MemoryModel model);

}  // namespace heddle::model
