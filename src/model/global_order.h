// For models that ask for one order of all events: what comes before an event in it.
#pragma once

#include <cstdint>
#include <vector>

#include "model/graph.h"

namespace heddle::model {

// Of the graph po' + rf' + mo + fr, with the parts of program order and reads-from that a model
// keeps, the events from which an event can be reached. Derived says which:
//   void VisitPreserved(graph, event, visit)   edges of program order, and of the chains of
//   objects,
//                                              into the event
//   bool SeesOwnStores()                       rf within a thread is kept
//   Position KnownBefore(graph, access)        a write that reaches it, for other reasons
//
// A new event that reads the newest write, or is one, has no edges out of it. One that reads an
// older write has edges to the newer ones (fr), a store in the middle one to the next (mo). So a
// cycle means that such a write reaches the event, and the floor is the newest write that does.
// It cannot do so by the edges that the choice itself makes (from the write read, or from the loads
// of the write before): it would have closed a cycle before.
// Nor by what has an earlier stamp than anything that the newer writes reach.
template <typename Derived>
class GlobalOrder {
 public:
  // The newest write to the location of `access` that reaches it by preserved program order.
  Position NewestBefore(const ExecutionGraph& graph, EventId access) {
    const LocationId location = graph.At(access).label.location;
    const Position most = graph.NewestBut(access);
    if (seen_.size() < static_cast<size_t>(graph.Size())) seen_.resize(graph.Size());
    ++round_;
    seen_[access] = round_;
    const bool is_long = graph.IsLong() && most > 0;
    Position newest = is_long ? self().KnownBefore(graph, access) : 0;
    if (newest >= most) return newest;
    const EventId oldest = is_long ? graph.OldestReached(location, newest, most) : 0;
    const auto push = [&](EventId event) {
      if (event < oldest || seen_[event] == round_) return;
      seen_[event] = round_;
      stack_.push_back(event);
    };
    stack_.clear();
    self().VisitPreserved(graph, access, push);
    while (!stack_.empty() && newest < most) {
      const EventId event = stack_.back();
      stack_.pop_back();
      const Event& e = graph.At(event);
      self().VisitPreserved(graph, event, push);
      if (e.IsLoad() && IsKept(graph, event)) push(e.reads_from);
      if (!e.IsStore()) continue;
      if (e.label.location == location && e.position > newest) newest = e.position;
      const EventId before = graph.WriteAt(e.label.location, e.position - 1);
      push(before);
      for (EventId r = graph.At(before).first_reader; r != kNoEvent; r = graph.At(r).next_reader)
        push(r);
    }
    return newest;
  }

 private:
  Derived& self() { return static_cast<Derived&>(*this); }
  bool IsKept(const ExecutionGraph& graph, EventId load) {
    const Event& e = graph.At(load);
    return e.reads_from >= 0 &&
           (self().SeesOwnStores() || graph.At(e.reads_from).thread != e.thread);
  }

  std::vector<uint64_t> seen_;  // in which round an event was last seen
  uint64_t round_ = 0;
  std::vector<EventId> stack_;
};

}  // namespace heddle::model
