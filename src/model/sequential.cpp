#include "model/sequential.h"

namespace heddle::model {

template <typename Visit>
void Sequential::VisitPreserved(const ExecutionGraph& graph, EventId event,
                                const Visit& visit) const {
  const EventId before = graph.Before(event);
  if (before != kNoEvent) visit(before);
  if (!graph.At(event).IsAccess()) VisitOthers(graph, event, visit);
}

// Apart, so that the search through accesses stays small code.
template <typename Visit>
[[gnu::noinline]] void Sequential::VisitOthers(const ExecutionGraph& graph, EventId event,
                                               const Visit& visit) const {
  const Event& e = graph.At(event);
  if (e.label.ComesAfterOther()) visit(graph.OtherOf(event));
  if (e.kind == EventKind::kJoin && !graph.EventsOf(e.label.other).empty())
    visit(graph.EventsOf(e.label.other).back());
  if (!e.IsUse() || (chains_ == Chains::kSynchronising && !IsAcquire(e.order))) return;
  for (EventId use = graph.UseBefore(event); use != kNoEvent; use = graph.UseBefore(use)) {
    if (chains_ == Chains::kWhole) return visit(use);
    const Order order = graph.At(use).order;
    const Label& label = graph.At(use).label;
    const bool learns = IsRelease(order) && (!e.label.shared || label.level == kWriter);
    if (learns) visit(use);
    if (learns && IsAcquire(order) && !label.shared) return;
  }
}

ConstView Sequential::ViewOf(const ExecutionGraph& graph, EventId event) const {
  return chains_ == Chains::kWhole ? graph.Porf(event) : graph.HappensBefore(event);
}

Position Sequential::Floor(const ExecutionGraph& graph, EventId access) {
  // What is read most often needs no search.
  const EventId before = graph.Before(access);
  const Position newest = graph.NewestBut(access);
  const EventId write = graph.WriteAt(graph.At(access).label.location, newest);
  if (before != kNoEvent && graph.IsIn(ViewOf(graph, before), write)) return newest;
  return NewestBefore(graph, access);
}

// The newest write that comes before by program order and reads-from, or was read by what does.
Position Sequential::KnownBefore(const ExecutionGraph& graph, EventId access) const {
  const EventId before = graph.Before(access);
  if (before == kNoEvent) return 0;
  return graph.NewestSeen(ViewOf(graph, before), graph.At(access).label.location,
                          graph.NewestBut(access));
}

std::unique_ptr<Consistency> MakeSequential() { return std::make_unique<Sequential>(); }

}  // namespace heddle::model
