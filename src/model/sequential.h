// Sequential consistency: po + rf + mo + fr is acyclic.
#pragma once

#include "model/consistency.h"
#include "model/global_order.h"

namespace heddle::model {

class Sequential final : public Consistency, private GlobalOrder<Sequential> {
 public:
  Position Floor(const ExecutionGraph& graph, EventId access) override;
  bool Allows(const ExecutionGraph&, EventId) override { return true; }

 private:
  friend class GlobalOrder<Sequential>;
  static bool SeesOwnStores() { return true; }
  template <typename Visit>
  static void VisitPreserved(const ExecutionGraph& graph, EventId event, const Visit& visit);
};

}  // namespace heddle::model
