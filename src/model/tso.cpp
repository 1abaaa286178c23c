// Total store order: each thread's stores wait in a queue of its own, from which its loads read
// first, and go to memory in order.
//
// As axioms (Alglave, Maranget, Tautschnig, "Herding cats", TOPLAS 2014): coherence per location,
// and ppo + rfe + mo + fr is acyclic, where rfe is rf between threads, and ppo program order
// without its pairs of a store and a later load, but with
//   * all that an update, a seq_cst fence, the creation or join of a thread, or a use of an object
//   (the C library makes nearly all with locked instructions) stands in or between,
//   * a seq_cst store and a later seq_cst load. Compilers put a fence after the one or before the
//     other; that either alone is enough is no property of the machine but of the compiler, so
//     nothing is taken for granted of a seq_cst access beside weaker ones.
// A compare-exchange that fails is a locked instruction all the same. Other fences are nothing.
//
// The floor of an access is the newest write before it in that order, and for what a thread sees of
// itself, its own last store to the location.
#include "model/consistency.h"
#include "model/global_order.h"

namespace heddle::model {
namespace {

bool IsBarrier(const Event& e) {
  switch (e.kind) {
    case EventKind::kFence:
      return e.order == Order::kSeqCst || e.label.ComesAfterOther();
    case EventKind::kCreate:
    case EventKind::kJoin:
    case EventKind::kUse:
      return true;
    case EventKind::kLoad:
    case EventKind::kStore:
      return e.label.action == Action::kUpdate;
  }
  return false;
}

class Tso final : public Consistency, private GlobalOrder<Tso> {
 public:
  Position Floor(const ExecutionGraph& graph, EventId access) override {
    const Position before = NewestBefore(graph, access);
    const Position own = OwnStore(graph, access);
    return before < own ? own : before;
  }
  bool Allows(const ExecutionGraph&, EventId) override { return true; }

 private:
  friend class GlobalOrder<Tso>;
  static bool SeesOwnStores() { return false; }
  static Position KnownBefore(const ExecutionGraph& graph, EventId access) {
    return OwnStore(graph, access);
  }

  // Nearest first; what a barrier or a store comes after is reached from it.
  template <typename Visit>
  static void VisitPreserved(const ExecutionGraph& graph, EventId event, const Visit& visit) {
    const Event& e = graph.At(event);
    if (e.kind == EventKind::kJoin)
      for (const EventId joined : graph.EventsOf(e.label.other)) visit(joined);
    if (e.IsUse() && graph.UseBefore(event) != kNoEvent) visit(graph.UseBefore(event));
    if (e.label.ComesAfterOther()) visit(graph.OtherOf(event));
    const std::span<const EventId> thread = graph.EventsOf(e.thread);
    const bool after_stores = e.IsStore() || IsBarrier(e);
    const bool after_seq_cst_store = e.IsLoad() && e.order == Order::kSeqCst;
    bool load_visited = false;
    for (uint32_t i = e.index; i-- > 0;) {
      const Event& earlier = graph.At(thread[i]);
      if (IsBarrier(earlier)) {
        visit(thread[i]);
        return;
      }
      if (earlier.IsLoad() && !load_visited) {
        visit(thread[i]);
        load_visited = true;
      }
      if (!earlier.IsStore()) continue;
      if (after_stores || (after_seq_cst_store && earlier.order == Order::kSeqCst)) {
        visit(thread[i]);
        return;
      }
    }
    if (graph.CreatedBy(e.thread) != kNoEvent) visit(graph.CreatedBy(e.thread));
  }

  static Position OwnStore(const ExecutionGraph& graph, EventId access) {
    const Event& e = graph.At(access);
    const std::span<const EventId> thread = graph.EventsOf(e.thread);
    for (uint32_t i = e.index; i-- > 0;) {
      const Event& earlier = graph.At(thread[i]);
      if (earlier.IsStore() && earlier.label.location == e.label.location) return earlier.position;
    }
    return 0;
  }
};

}  // namespace

std::unique_ptr<Consistency> MakeTso() { return std::make_unique<Tso>(); }

}  // namespace heddle::model
