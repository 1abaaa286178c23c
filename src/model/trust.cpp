#include "model/trust.h"

#include <algorithm>
#include <utility>

namespace heddle::model {

Trust::Trust(Consistency& model, ExecutionGraph initial) : model_(model) {
  explorations_.push_back(std::make_unique<Exploration>(std::move(initial)));
}

bool Trust::Next() {
  if (!begun_) return begun_ = true;
  while (alive_ > 0) {
    Exploration& top = Top();
    if (top.alternatives.empty()) {
      --alive_;
      continue;
    }
    const Alternative alternative = top.alternatives.back();
    top.alternatives.pop_back();
    if (Take(alternative)) return true;
  }
  return false;
}

bool Trust::Take(const Alternative& alternative) {
  switch (alternative.kind) {
    case Alternative::Kind::kRead:
      return Read(alternative.event, alternative.choice);
    case Alternative::Kind::kPlace:
      return Place(alternative.event, static_cast<Position>(alternative.choice));
    case Alternative::Kind::kRevisit:
      return Revisit(alternative.event, alternative.choice);
  }
  return false;
}

bool Trust::Refuse() {
  ++counts_.inconsistent;
  return false;
}

// ---- forward: an event and what it could do

EventId Trust::Extend(ThreadId thread, const Label& label) {
  ExecutionGraph& graph = Top().graph;
  switch (label.action) {
    case Action::kFence:
      return graph.AppendFence(thread, label);
    case Action::kCreate:
      return graph.AppendCreate(thread, label);
    case Action::kJoin:
      return graph.AppendJoin(thread, label);
    case Action::kStore:
      return AddStore(thread, label);
    case Action::kLoad:
    case Action::kUpdate:
      return AddLoad(thread, label);
  }
  return kNoEvent;
}

EventId Trust::AddLoad(ThreadId thread, const Label& label) {
  ExecutionGraph& graph = Top().graph;
  const Position newest = graph.NewestPosition(label.location);
  const EventId load = graph.AppendLoad(thread, label, graph.Newest(label.location));
  for (Position p = model_.Floor(graph, load); p < newest; ++p) {
    const EventId write = graph.WriteAt(label.location, p);
    if (!IsTaken(load, write))
      Top().alternatives.push_back({Alternative::Kind::kRead, load, write});
  }
  if (!graph.UpdateSucceeds(load)) return load;
  const EventId store = graph.AppendStoreOf(load);
  NoteRevisits(store, store);
  return load;
}

// `load` would be that of a second update of `write`, and the first one stays whatever is
// revisited.
bool Trust::IsTaken(EventId load, EventId write) {
  const ExecutionGraph& graph = Top().graph;
  const Label& label = graph.At(load).label;
  if (label.action != Action::kUpdate || !Updated(label, graph.At(write).value)) return false;
  const EventId other = graph.UpdateThatReads(write, load);
  if (other == kNoEvent) return false;
  const EventId before = graph.Before(load);
  return !graph.At(other).revisitable ||
         (before != kNoEvent && graph.IsIn(graph.Porf(before), other));
}

EventId Trust::AddStore(ThreadId thread, const Label& label) {
  ExecutionGraph& graph = Top().graph;
  const Position newest = graph.NewestPosition(label.location);
  const EventId store = graph.AppendStore(thread, label, newest);
  for (Position p = model_.Floor(graph, store); p < newest; ++p)
    // Nothing comes between an update and what it reads.
    if (graph.UpdateThatReads(graph.WriteAt(label.location, p)) == kNoEvent)
      Top().alternatives.push_back({Alternative::Kind::kPlace, store, static_cast<EventId>(p)});
  NoteRevisits(store, store);
  return store;
}

bool Trust::Read(EventId load, EventId write) {
  ExecutionGraph& graph = Top().graph;
  graph.CutAfter(load);
  graph.SetReadsFrom(load, write);
  ++counts_.forward;
  if (!graph.UpdateSucceeds(load)) return model_.Allows(graph, load) || Refuse();
  const EventId other = graph.UpdateThatReads(write, load);
  if (other != kNoEvent) {
    NoteRevisits(graph.AppendStoreOf(load), other);
    ++counts_.pending;
    return false;
  }
  if (!model_.Allows(graph, load)) return Refuse();
  const EventId store = graph.AppendStoreOf(load);
  if (!model_.Allows(graph, store)) return Refuse();
  NoteRevisits(store, store);
  return true;
}

bool Trust::Place(EventId store, Position after) {
  ExecutionGraph& graph = Top().graph;
  graph.CutAfter(store);
  graph.Move(store, after);
  ++counts_.forward;
  if (!model_.Allows(graph, store)) return Refuse();
  NoteRevisits(store, store);
  return true;
}

// ---- backward: a store and who could have read it

void Trust::NoteRevisits(EventId store, EventId not_newer) {
  Exploration& top = Top();
  const ExecutionGraph& graph = top.graph;
  const EventId oldest = OldestRevisitable(graph, store);
  if (oldest == kNoEvent) return;
  const Event& a = graph.At(store);
  const ConstView prefix = graph.Porf(store);
  // The store of an update stands where it does in any case.
  const bool at_end = a.of_update || a.position == graph.NewestPosition(a.label.location);
  const EventId next = at_end ? kNoEvent : graph.WriteAt(a.label.location, a.position + 1);
  for (EventId event = store - 1; event >= oldest; --event) {
    if (graph.IsIn(prefix, event)) continue;
    if (event == next || !IsMaximal(graph, event, store)) return;
    const Event& e = graph.At(event);
    if (e.IsLoad() && e.label.location == a.label.location && e.revisitable && event <= not_newer)
      top.alternatives.push_back({Alternative::Kind::kRevisit, store, event});
  }
}

// The oldest load that `store` might revisit, or kNoEvent: of most stores nobody else reads the
// location.
EventId Trust::OldestRevisitable(const ExecutionGraph& graph, EventId store) {
  const LocationId location = graph.At(store).label.location;
  const ConstView prefix = graph.Porf(store);
  EventId oldest = kNoEvent;
  for (Position p = 0; p <= graph.NewestPosition(location); ++p) {
    EventId r = graph.At(graph.WriteAt(location, p)).first_reader;
    for (; r != kNoEvent; r = graph.At(r).next_reader)
      if (graph.At(r).revisitable && !graph.IsIn(prefix, r) && (oldest == kNoEvent || r < oldest))
        oldest = r;
  }
  return oldest;
}

bool Trust::IsMaximal(const ExecutionGraph& graph, EventId event, EventId store) {
  const Event& e = graph.At(event);
  if (!e.IsAccess()) return true;
  const ConstView prefix = graph.Porf(store);
  const auto is_previous = [&](EventId other) {
    return other <= event || graph.IsIn(prefix, other);
  };
  for (EventId r = e.IsStore() ? e.first_reader : kNoEvent; r != kNoEvent;
       r = graph.At(r).next_reader)
    if (r < event) return false;  // it has revisited r
  const EventId write = e.IsStore() ? event : e.reads_from;
  const Position newest = graph.NewestPosition(e.label.location);
  for (Position p = graph.At(write).position + 1; p <= newest; ++p) {
    const EventId newer = graph.WriteAt(e.label.location, p);
    if (newer != store && is_previous(newer)) return false;
  }
  return true;
}

bool Trust::Revisit(EventId store, EventId load) {
  Top().graph.CutAfter(store);
  ++counts_.backward;
  if (alive_ == explorations_.size())
    explorations_.push_back(std::make_unique<Exploration>(ExecutionGraph(0)));
  const ExecutionGraph& from = Top().graph;
  Exploration& made = *explorations_[alive_];
  const auto [r, a] = made.graph.CopyForRevisit(from, load, store);
  ExecutionGraph& graph = made.graph;
  graph.SetReadsFrom(r, a);
  if (graph.At(a).position < model_.Floor(graph, r)) return Refuse();
  if (!model_.Allows(graph, r)) return Refuse();
  if (Top().alternatives.empty())  // nothing is left of what it was made from
    std::swap(explorations_[alive_ - 1], explorations_[alive_]);
  else
    ++alive_;
  counts_.most_graphs = std::max(counts_.most_graphs, alive_);
  if (!graph.UpdateSucceeds(r)) return true;
  const EventId update = graph.AppendStoreOf(r);
  if (!model_.Allows(graph, update)) {
    --alive_;
    return Refuse();
  }
  NoteRevisits(update, update);
  return true;
}

}  // namespace heddle::model
