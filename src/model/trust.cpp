#include "model/trust.h"

#include <algorithm>
#include <utility>

namespace heddle::model {

Trust::Trust(Consistency& model, ExecutionGraph initial)
    : model_(&model), nothing_(initial.Threads()) {
  explorations_.push_back(std::make_unique<Exploration>(std::move(initial)));
}

bool Trust::Next() {
  if (!begun_) return begun_ = true;
  ++explored_;
  if (alive_ > 0) most_events_ = std::max(most_events_, Graph().Size());
  while (alive_ > 0) {
    Exploration& top = Top();
    if (top.alternatives.empty()) {
      --alive_;
      continue;
    }
    NoteEnded();
    const Alternative alternative = top.alternatives.back();
    top.alternatives.pop_back();
    const size_t graph = alive_;
    const size_t left = top.alternatives.size();
    if (!Take(alternative)) continue;
    begun_alternatives_.push_back({graph, left, explored_, Graph().Size()});
    return true;
  }
  return false;
}

// An alternative is through when its graph, or one before it, comes to the next of those that it
// had then.
void Trust::NoteEnded() {
  const size_t left = Top().alternatives.size();
  while (!begun_alternatives_.empty()) {
    const Begun& last = begun_alternatives_.back();
    if (last.graph < alive_ || (last.graph == alive_ && last.left < left)) return;
    const auto to_come = static_cast<size_t>(std::max(most_events_ - last.events, 0));
    if (to_come >= came_of_.size()) came_of_.resize(to_come + 1);
    float& mean = came_of_[to_come];
    const auto came = static_cast<float>(explored_ - last.explored);
    if (!last.parted) mean += (came - mean) / (mean == 0 ? 1 : 8);
    begun_alternatives_.pop_back();
  }
}

bool Trust::Take(const Alternative& alternative) {
  if (alternative.kind == Alternative::Kind::kBlockedUse) {
    const BlockedOperation use = Top().blocked[alternative.event];
    Top().graph.CutAfter(use.end);
    return ComeBefore(alternative.choice, Graph().LastOf(use.thread), use.thread, use.label);
  }
  if (alternative.kind == Alternative::Kind::kBlockedRead) {
    const BlockedOperation load = Top().blocked[alternative.event];
    Top().graph.CutAfter(load.end);
    return Read(Top().graph.AppendLoad(load.thread, load.label, alternative.choice),
                alternative.choice);
  }
  Top().graph.CutAfter(alternative.event);
  std::vector<BlockedOperation>& blocked = Top().blocked;
  while (!blocked.empty() && blocked.back().end >= alternative.event) blocked.pop_back();
  switch (alternative.kind) {
    case Alternative::Kind::kRead:
      return Read(alternative.event, alternative.choice);
    case Alternative::Kind::kPlace:
      return Place(alternative.event, static_cast<Position>(alternative.choice));
    case Alternative::Kind::kRevisit:
      return Revisit(alternative.event, alternative.choice);
    case Alternative::Kind::kUse: {
      const Event& e = Graph().At(alternative.event);
      return ComeBefore(alternative.choice, Graph().Before(alternative.event), e.thread, e.label);
    }
    case Alternative::Kind::kOption:
      Top().graph.SetOption(alternative.event, static_cast<uint32_t>(alternative.choice));
      return true;
    case Alternative::Kind::kBlockedUse:
    case Alternative::Kind::kBlockedRead:
      break;
  }
  return false;
}

void Trust::Grow(ThreadId threads) {
  for (size_t i = 0; i < alive_; ++i) explorations_[i]->graph.Grow(threads);
  if (nothing_.size() < threads) nothing_.resize(threads);
}

// ---- parting with alternatives

// That alternative of the graph with that number is not explored here.
void Trust::NoteParted(size_t graph, size_t alternative) {
  for (Begun& begun : begun_alternatives_) {
    if (begun.graph < graph || (begun.graph == graph && begun.left <= alternative))
      begun.parted = true;
    else if (begun.graph == graph)
      --begun.left;
  }
}

// Events that are there when the alternative is taken.
EventId Trust::EventsKept(const Exploration& of, const Alternative& alternative) const {
  using Kind = Alternative::Kind;
  const ExecutionGraph& graph = of.graph;
  if (IsBlocked(alternative.kind)) return of.blocked[alternative.event].end + 1;
  if (alternative.kind != Kind::kRevisit && alternative.kind != Kind::kUse)
    return alternative.event + 1;
  EventId kept = alternative.choice + 1;
  for (EventId event = kept; event <= alternative.event; ++event)
    if (graph.IsIn(graph.Porf(alternative.event), event)) ++kept;
  return kept;
}

bool Trust::MayBring(const Exploration& of, const Alternative& alternative, uint64_t least) const {
  if (least <= 1) return true;
  const auto to_come = static_cast<size_t>(std::max(most_events_ - EventsKept(of, alternative), 0));
  return to_come >= came_of_.size() || came_of_[to_come] == 0 ||
         came_of_[to_come] >= static_cast<float>(least);
}

// The oldest of the oldest graph: most comes of it.
bool Trust::Split(std::vector<uint64_t>& to, uint64_t least) {
  if (least > 1 && explored_ < least) return false;
  for (size_t i = 0; i < alive_; ++i) {
    Exploration& exploration = *explorations_[i];
    const auto found = std::ranges::find_if(exploration.alternatives, [&](const Alternative& a) {
      return MayBring(exploration, a, least);
    });
    if (found == exploration.alternatives.end()) continue;
    const Alternative alternative = *found;
    NoteParted(i + 1, static_cast<size_t>(found - exploration.alternatives.begin()));
    exploration.alternatives.erase(found);
    const bool is_blocked = IsBlocked(alternative.kind);
    const BlockedOperation* blocked =
        is_blocked ? &exploration.blocked[alternative.event] : nullptr;
    ExecutionGraph graph = exploration.graph;
    graph.CutAfter(is_blocked ? blocked->end : alternative.event);
    graph.Save(to);
    to.insert(to.end(), {static_cast<uint64_t>(alternative.kind),
                         static_cast<uint64_t>(is_blocked ? 0 : alternative.event),
                         static_cast<uint64_t>(static_cast<uint32_t>(alternative.choice))});
    if (!is_blocked) return true;
    to.push_back(blocked->thread);
    SaveLabel(blocked->label, to);
    return true;
  }
  return false;
}

bool Trust::Take(Numbers& from) {
  Exploration& only = Top();
  if (!only.graph.Load(from)) return false;
  Alternative alternative;
  alternative.kind =
      from.Below<Alternative::Kind>(static_cast<uint64_t>(Alternative::Kind::kOption) + 1);
  const bool is_blocked = IsBlocked(alternative.kind);
  const auto size = static_cast<uint64_t>(only.graph.Size());
  alternative.event = from.Below<EventId>(is_blocked ? 1 : size);
  alternative.choice = static_cast<EventId>(from.Below<uint32_t>(uint64_t{UINT32_MAX} + 1));
  if (is_blocked) {
    const auto thread = from.Below<ThreadId>(only.graph.Threads());
    only.blocked.push_back({thread, LoadLabel(from), only.graph.Size() - 1});
  }
  only.alternatives.push_back(alternative);
  nothing_.assign(only.graph.Threads(), 0);
  begun_ = true;
  return !from.Failed();
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
    case Action::kUse: {
      const EventId use = graph.AppendUse(thread, label);
      NoteUses(thread, label, Alternative::Kind::kUse, use);
      return use;
    }
  }
  return kNoEvent;
}

void Trust::Blocked(ThreadId thread, const Label& label) {
  const auto index = static_cast<EventId>(Top().blocked.size());
  Top().blocked.push_back({thread, label, Graph().Size() - 1});
  NoteUses(thread, label, Alternative::Kind::kBlockedUse, index);
}

// As AddLoad, without the event.
void Trust::BlockedLoad(ThreadId thread, const Label& label) {
  ExecutionGraph& graph = Top().graph;
  const auto index = static_cast<EventId>(Top().blocked.size());
  Top().blocked.push_back({thread, label, graph.Size() - 1});
  const EventId load = graph.AppendLoad(thread, label, graph.Newest(label.location));
  const Position newest = graph.NewestPosition(label.location);
  for (Position p = model_->Floor(graph, load); p < newest; ++p) {
    const EventId write = graph.WriteAt(label.location, p);
    if (!IsTaken(load, write))
      Top().alternatives.push_back({Alternative::Kind::kBlockedRead, index, write});
  }
  graph.CutAfter(load - 1);
}

void Trust::Chooses(EventId event, uint32_t options) {
  Top().graph.SetOptions(event, options);
  for (uint32_t option = 1; option < options; ++option)
    Top().alternatives.push_back({Alternative::Kind::kOption, event, static_cast<EventId>(option)});
}

EventId Trust::AddLoad(ThreadId thread, const Label& label) {
  ExecutionGraph& graph = Top().graph;
  const Position newest = graph.NewestPosition(label.location);
  const EventId load = graph.AppendLoad(thread, label, graph.Newest(label.location));
  for (Position p = model_->Floor(graph, load); p < newest; ++p) {
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
  for (Position p = model_->Floor(graph, store); p < newest; ++p)
    // Nothing comes between an update and what it reads.
    if (graph.UpdateThatReads(graph.WriteAt(label.location, p)) == kNoEvent)
      Top().alternatives.push_back({Alternative::Kind::kPlace, store, static_cast<EventId>(p)});
  NoteRevisits(store, store);
  return store;
}

bool Trust::Read(EventId load, EventId write) {
  ExecutionGraph& graph = Top().graph;
  graph.SetReadsFrom(load, write);
  ++counts_.forward;
  if (!graph.UpdateSucceeds(load)) return model_->Allows(graph, load) || Refuse();
  const EventId other = graph.UpdateThatReads(write, load);
  if (other != kNoEvent) {
    NoteRevisits(graph.AppendStoreOf(load), other);
    ++counts_.pending;
    return false;
  }
  if (!model_->Allows(graph, load)) return Refuse();
  const EventId store = graph.AppendStoreOf(load);
  if (!model_->Allows(graph, store)) return Refuse();
  NoteRevisits(store, store);
  return true;
}

bool Trust::Place(EventId store, Position after) {
  ExecutionGraph& graph = Top().graph;
  graph.Move(store, after);
  ++counts_.forward;
  if (!model_->Allows(graph, store)) return Refuse();
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
    if (event == next || !IsMaximal(graph, event, prefix, store)) return;
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

// `store`: that which revisits, if it is one.
bool Trust::IsMaximal(const ExecutionGraph& graph, EventId event, ConstView prefix, EventId store) {
  const Event& e = graph.At(event);
  if (e.label.option != 0) return false;
  // What leads to a use that has come before another is not revisitable either; but it is older, so
  // that the use stops the walk first.
  if (!e.IsAccess()) return !e.IsUse() || e.revisitable;
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
  ++counts_.backward;
  ExecutionGraph& graph = Spare();
  const auto [r, a] = graph.CopyForRevisit(Top().graph, load, store);
  graph.SetReadsFrom(r, a);
  if (graph.At(a).position < model_->Floor(graph, r)) return Refuse();
  if (!model_->Allows(graph, r)) return Refuse();
  Enter();
  if (!graph.UpdateSucceeds(r)) return true;
  const EventId update = graph.AppendStoreOf(r);
  if (!model_->Allows(graph, update)) {
    --alive_;
    return Refuse();
  }
  NoteRevisits(update, update);
  return true;
}

// A graph to make another in.
ExecutionGraph& Trust::Spare() {
  if (alive_ == explorations_.size())
    explorations_.push_back(std::make_unique<Exploration>(ExecutionGraph(0)));
  return explorations_[alive_]->graph;
}

// What was made in Spare() is the present graph.
void Trust::Enter() {
  explorations_[alive_]->blocked.clear();
  if (Top().alternatives.empty())  // nothing is left of what it was made from
    std::swap(explorations_[alive_ - 1], explorations_[alive_]);
  else
    ++alive_;
  counts_.most_graphs = std::max(counts_.most_graphs, alive_);
}

// ---- uses: what could have come before others

// What leads to `last`, if there is such an event.
ConstView Trust::PorfOr(EventId last) const {
  return last == kNoEvent ? nothing_.data() : Graph().Porf(last);
}

// `event`: the use that has been appended, or what Blocked calls it.
void Trust::NoteUses(ThreadId thread, const Label& label, Alternative::Kind kind, EventId event) {
  Exploration& top = Top();
  const ExecutionGraph& graph = top.graph;
  const bool is_there = kind == Alternative::Kind::kUse;
  const ConstView prefix = PorfOr(is_there ? graph.Before(event) : graph.LastOf(thread));
  const EventId end = is_there ? event : graph.Size();
  const EventId oldest = OldestUseAfter(graph, prefix, label, end);
  if (oldest == kNoEvent) return;
  for (EventId other = end - 1; other >= oldest; --other) {
    if (graph.IsIn(prefix, other)) continue;
    if (!IsMaximal(graph, other, prefix, kNoEvent)) return;
    const Event& v = graph.At(other);
    if (v.IsUse() && v.label.location == label.location && IsEnabled(label, v.label.level))
      top.alternatives.push_back({kind, event, other});
  }
}

// The oldest use that one of that label might come before, or kNoEvent. `but`: itself.
EventId Trust::OldestUseAfter(const ExecutionGraph& graph, ConstView prefix, const Label& label,
                              EventId but) {
  EventId oldest = kNoEvent;
  for (Position p = graph.NewestPosition(label.location); p > 0; --p) {
    const EventId use = graph.WriteAt(label.location, p);
    if (use == but) continue;
    if (graph.IsIn(prefix, use) || !graph.At(use).revisitable) break;
    if (IsEnabled(label, graph.At(use).label.level)) oldest = use;
  }
  return oldest;
}

// `last`: the event before in the thread of the use with that label.
bool Trust::ComeBefore(EventId use, EventId last, ThreadId thread, Label label) {
  ++counts_.uses;
  label.level = Graph().At(use).label.level;
  label.options = 1, label.option = 0;  // how many there are now, the next execution tells
  Spare().CopyForUse(Graph(), use, PorfOr(last), thread, label);
  Enter();
  return true;
}

}  // namespace heddle::model
