// An execution under a weak memory model as it was recorded, and whether a model allows it: as it
// is, or with stronger memory orders and more fences.
//
// The events stand in an order that extends program order and reads-from, which is how they were
// made. So a model can be asked event by event (model/consistency.h), and the graph is consistent
// if no answer is no.
#pragma once

#include <cstdint>
#include <vector>

#include "model/consistency.h"
#include "model/graph.h"

namespace heddle::explain {

using model::EventId;

// A place in the program's source that has a memory order: its events have it together.
using Place = uint32_t;
constexpr Place kNoPlace = UINT32_MAX;

struct Event {
  model::EventKind kind = model::EventKind::kFence;
  model::Action action = model::Action::kFence;  // what its half is of, of an update
  model::Order order = model::Order::kRelaxed;   // of a failed compare-exchange that of failure
  bool of_update = false;                        // half of an update that succeeded
  bool continues_own_sequences = false;          // model::Label
  model::ThreadId thread = 0;
  model::ThreadId other = 0;             // created or joined
  model::LocationId location = 0;        // of an access
  model::Position position = 0;          // of a store, in modification order, from 1
  EventId reads_from = model::kNoEvent;  // of a load: an older event, or model::InitialOf(location)
  // Of each thread so many events happen before this one for reasons that the others do not have
  // (locks, joined threads); empty: none.
  std::vector<uint16_t> known;
  Place place = kNoPlace;  // whose order may be made stronger

  bool IsLoad() const { return kind == model::EventKind::kLoad; }
  bool IsStore() const { return kind == model::EventKind::kStore; }
  bool IsAccess() const { return IsLoad() || IsStore(); }
};

struct Recorded {
  model::ThreadId threads = 0;
  std::vector<Event> events;

  EventId Size() const { return static_cast<EventId>(events.size()); }
  const Event& At(EventId event) const { return events[static_cast<size_t>(event)]; }
};

// The events of a graph, in their order of replay. None has a place.
Recorded RecordedOf(const model::ExecutionGraph& graph);

// What is changed at a place: all its events get at least this order, as far as their kind can have
// it (a load no release), or a fence of this order stands before each of them.
struct Change {
  Place place = kNoPlace;
  model::Order order = model::Order::kSeqCst;
  bool fence = false;
  bool operator==(const Change&) const = default;
};
using Changes = std::vector<Change>;

// The weakest order that is as strong as both.
model::Order Joined(model::Order a, model::Order b);
// What `order` is for an event of that kind: of an acq_rel a load has acquire, a store release.
// Relaxed: nothing.
model::Order For(const Event& event, model::Order order);

// What stands at the place after the change, if the events that it makes stronger have one order.
model::Order OrderAfter(const Recorded& execution, const Change& change);

// Does `model` allow the execution, with these changes?
bool IsAllowed(const Recorded& execution, model::Consistency& model, const Changes& changes = {});

}  // namespace heddle::explain
