#include "model/stale.h"

#include <algorithm>

namespace heddle::model {

namespace {

// With a bound of two or three and a few threads there are some tens. A graph for which this is not
// enough is kept: more is explored than the bound asks for, and nothing less.
constexpr uint32_t kMostTried = 20'000;

}  // namespace

bool StaleAccesses::AtMost(const ExecutionGraph& graph, uint32_t most) {
  stale_.assign(static_cast<size_t>(graph.Size()), 0);
  made_.assign(graph.Threads(), 0);
  tried_ = 0;
  return Search(graph, most);
}

// An event that has to be made before this one and was not, or kNoEvent.
EventId StaleAccesses::WaitsFor(const ExecutionGraph& graph, EventId event, EventId own) const {
  const Event& e = graph.At(event);
  const ConstView porf = graph.Porf(event);
  for (ThreadId thread = 0; thread < graph.Threads(); ++thread)
    if (thread != e.thread && porf[thread] > made_[thread])
      return graph.EventsOf(thread)[porf[thread] - 1u];
  if (!e.IsStore()) return kNoEvent;
  const auto is_made = [&](EventId other) {
    return graph.At(other).index < made_[graph.At(other).thread];
  };
  return ToBeOverwritten(graph, e, own, is_made,
                         [&](EventId access) { return stale_[access] != 0; });
}

// Makes what can be made; true: all of the graph. To make something never keeps anything else from
// being made, so this is as far as any order comes.
bool StaleAccesses::Advance(const ExecutionGraph& graph) {
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (ThreadId thread = 0; thread < graph.Threads(); ++thread) {
      const std::span<const EventId> events = graph.EventsOf(thread);
      while (made_[thread] < events.size()) {
        const EventId next = events[made_[thread]];
        const bool pair = graph.At(next).of_update && made_[thread] + 1u < events.size();
        if (WaitsFor(graph, next, kNoEvent) != kNoEvent) break;
        if (pair && WaitsFor(graph, events[made_[thread] + 1u], next) != kNoEvent) break;
        made_[thread] = static_cast<uint16_t>(made_[thread] + (pair ? 2 : 1));
        goes_on = true;
      }
    }
  }
  for (ThreadId thread = 0; thread < graph.Threads(); ++thread)
    if (made_[thread] < graph.EventsOf(thread).size()) return false;
  return true;
}

// Nothing can be made any more: threads whose next events wait for each other in a circle. In each
// order one of the accesses that are waited for by a store comes after that, so it is stale.
// REQUIRES: something is left.
void StaleAccesses::FindCycle(const ExecutionGraph& graph,
                              std::vector<EventId>& may_be_stale) const {
  std::vector<uint32_t> visit(graph.Threads(), 0);
  std::vector<EventId> waited_for;  // by visit, from 1
  ThreadId thread = 0;
  while (made_[thread] == graph.EventsOf(thread).size()) ++thread;
  while (visit[thread] == 0) {
    const std::span<const EventId> events = graph.EventsOf(thread);
    const EventId next = events[made_[thread]];
    EventId other = WaitsFor(graph, next, kNoEvent);
    EventId store = next;
    if (other == kNoEvent) {
      store = events[made_[thread] + 1u];
      other = WaitsFor(graph, store, next);
    }
    visit[thread] = static_cast<uint32_t>(waited_for.size()) + 1;
    const bool by_porf = graph.IsIn(graph.Porf(store), other);
    waited_for.push_back(by_porf ? kNoEvent : other);
    thread = graph.At(other).thread;
  }
  may_be_stale.assign(waited_for.begin() + visit[thread] - 1, waited_for.end());
  std::erase(may_be_stale, kNoEvent);
}

void StaleAccesses::SetStale(const ExecutionGraph& graph, EventId event, uint8_t stale) {
  stale_[event] = stale;
  const Event& e = graph.At(event);
  if (!e.of_update) return;
  const std::span<const EventId> events = graph.EventsOf(e.thread);
  const size_t other = e.IsLoad() ? e.index + 1u : e.index - 1u;
  if (other < events.size()) stale_[events[other]] = stale;
}

bool StaleAccesses::Search(const ExecutionGraph& graph, uint32_t left) {
  if (Advance(graph) || ++tried_ > kMostTried) return true;
  if (left == 0) return false;
  std::vector<EventId> may_be_stale;
  FindCycle(graph, may_be_stale);
  const std::vector<uint16_t> made = made_;
  for (const EventId event : may_be_stale) {
    SetStale(graph, event, 1);
    if (Search(graph, left - 1)) return true;
    SetStale(graph, event, 0);
    made_ = made;
  }
  return false;
}

}  // namespace heddle::model
