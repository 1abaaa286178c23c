// C11's and C++20's memory model, as RC11 states it (Lahav et al., PLDI 2017):
//   coherence    hb; eco? is irreflexive, with eco = (rf + mo + fr)+
//   atomicity    nothing stands between an update and what it reads (graph.h)
//   no thin air  po + rf is acyclic (graph.h)
//   SC           psc is acyclic (partial_sc.h)
// with the release sequences of C++20, or of C11 for the stores that say so (label.h).
//
// Coherence is the floor: the newest write that happens before the access, or was read by something
// that does. A load that reads below it, or a store that goes below it, closes a cycle; at or above
// it nothing does, as an access that nobody reads from yet comes before nothing in hb.
#include "model/consistency.h"
#include "model/partial_sc.h"
#include "model/sequential.h"

namespace heddle::model {
namespace {

class C11 final : public Consistency {
 public:
  Position Floor(const ExecutionGraph& graph, EventId access) override {
    // If every access is seq_cst, psc has all of po + rf + mo + fr, and of chains what is in hb.
    if (graph.WeakAccesses() == 0) return sequential_.Floor(graph, access);
    const EventId before = graph.Before(access);
    if (before == kNoEvent) return 0;
    const ConstView view = graph.HappensBefore(before);
    return graph.NewestSeen(view, graph.At(access).label.location, graph.NewestBut(access));
  }

  bool Allows(const ExecutionGraph& graph, EventId access) override {
    if (graph.WeakAccesses() == 0 || graph.SeqCstEvents() == 0) return true;
    return !partial_sc_.HasCycle(graph, access);
  }

 private:
  Sequential sequential_{Sequential::Chains::kSynchronising};
  PartialSc partial_sc_;
};

}  // namespace

std::unique_ptr<Consistency> MakeC11() { return std::make_unique<C11>(); }

}  // namespace heddle::model
