// Sequential consistency: po + rf + mo + fr and the chains of objects are acyclic.
#pragma once

#include "model/consistency.h"
#include "model/global_order.h"

namespace heddle::model {

class Sequential final : public Consistency, private GlobalOrder<Sequential> {
 public:
  // c11.cpp has chains as they synchronise only: from a use that releases to those that acquire.
  enum class Chains : uint8_t { kWhole, kSynchronising };
  explicit Sequential(Chains chains = Chains::kWhole) : chains_(chains) {}

  Position Floor(const ExecutionGraph& graph, EventId access) override;
  bool Allows(const ExecutionGraph&, EventId) override { return true; }

 private:
  friend class GlobalOrder<Sequential>;
  static bool SeesOwnStores() { return true; }
  Position KnownBefore(const ExecutionGraph& graph, EventId access) const;
  ConstView ViewOf(const ExecutionGraph& graph, EventId event) const;
  template <typename Visit>
  void VisitPreserved(const ExecutionGraph& graph, EventId event, const Visit& visit) const;

  template <typename Visit>
  void VisitOthers(const ExecutionGraph& graph, EventId event, const Visit& visit) const;

  const Chains chains_;
};

}  // namespace heddle::model
