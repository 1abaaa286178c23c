#include "model/graph.h"

#include <algorithm>

#include "base/check.h"

namespace heddle::model {

ExecutionGraph::ExecutionGraph(ThreadId threads)
    : threads_(threads), stride_(threads), by_thread_(threads), created_by_(threads, kNoEvent) {}

void ExecutionGraph::Need(LocationId location) {
  if (location < Locations()) return;
  const size_t had = locations_.size();
  locations_.resize(location + 1);
  for (size_t i = had; i < locations_.size(); ++i) {
    locations_[i].initial.kind = EventKind::kStore;
    locations_[i].initial.label.location = static_cast<LocationId>(i);
  }
}

void ExecutionGraph::SetInitial(LocationId location, Value value) {
  HEDDLE_CHECK(!HasEventAt(location));
  Need(location);
  locations_[location].initial.value = value;
}

EventId ExecutionGraph::Append(ThreadId thread, EventKind kind, const Label& label) {
  HEDDLE_CHECK(thread < threads_ && by_thread_[thread].size() < kMostEventsOfThread);
  const EventId event = Size();
  Event& e = events_.emplace_back();
  e.label = label;
  e.kind = kind;
  e.order = label.order;
  e.thread = thread;
  e.index = static_cast<uint16_t>(by_thread_[thread].size());
  by_thread_[thread].push_back(event);
  replay_.push_back(event);
  MakeRoomForViews();
  return event;
}

void ExecutionGraph::MakeRoomForViews() {
  if (views_.size() < ViewsOfAll()) views_.resize(2 * ViewsOfAll());
}

namespace {

// Also if it would be weak, had it read something else.
bool IsWeak(const Event& e) {
  if (!e.IsAccess()) return false;
  return e.label.order != Order::kSeqCst ||
         (e.label.action == Action::kUpdate && e.label.update == Update::kCompareExchange &&
          e.label.failure != Order::kSeqCst);
}

}  // namespace

void ExecutionGraph::Count(const Event& event, uint32_t change) {
  if (event.order == Order::kSeqCst) seq_cst_events_ += change;
  if (IsWeak(event)) weak_accesses_ += change;
}

EventId ExecutionGraph::AppendFence(ThreadId thread, const Label& label) {
  const EventId fence = Append(thread, EventKind::kFence, label);
  Count(events_[fence], 1);
  SetFenceViews(fence);
  return fence;
}

EventId ExecutionGraph::AppendCreate(ThreadId thread, const Label& label) {
  HEDDLE_CHECK(label.other < threads_ && created_by_[label.other] == kNoEvent);
  const EventId create = Append(thread, EventKind::kCreate, label);
  created_by_[label.other] = create;
  events_[create].order = Order::kRelaxed;
  BeginViews(create);
  return create;
}

EventId ExecutionGraph::AppendJoin(ThreadId thread, const Label& label) {
  const EventId join = Append(thread, EventKind::kJoin, label);
  events_[join].order = Order::kRelaxed;
  SetJoinViews(join);
  return join;
}

EventId ExecutionGraph::AppendLoad(ThreadId thread, const Label& label, EventId write) {
  Need(label.location);
  const EventId load = Append(thread, EventKind::kLoad, label);
  Count(events_[load], 1);
  SetReadsFrom(load, write);
  return load;
}

EventId ExecutionGraph::AppendStore(ThreadId thread, const Label& label, Position after) {
  Need(label.location);
  const EventId store = Append(thread, EventKind::kStore, label);
  Event& e = events_[store];
  e.value = label.operand;
  Count(e, 1);
  Insert(store, after);
  SetStoreViews(store);
  return store;
}

bool ExecutionGraph::UpdateSucceeds(EventId load) const {
  const Event& e = events_[load];
  return e.label.action == Action::kUpdate && Updated(e.label, e.value).has_value();
}

EventId ExecutionGraph::AppendStoreOf(EventId load) {
  return AppendStoreOf(load, *Updated(events_[load].label, events_[load].value));
}

EventId ExecutionGraph::AppendStoreOf(EventId load, Value value) {
  HEDDLE_CHECK(load + 1 == Size() || by_thread_[events_[load].thread].back() == load);
  const Label label = events_[load].label;
  const EventId store = Append(events_[load].thread, EventKind::kStore, label);
  Event& e = events_[store];
  e.of_update = true;
  e.value = value;
  Count(e, 1);
  Insert(store, At(events_[load].reads_from).position);
  SetStoreViews(store);
  return store;
}

void ExecutionGraph::Learn(EventId event, ConstView happens_before) {
  HEDDLE_CHECK(event == Size() - 1);
  for (const ViewKind kind : {kHappensBefore, kPorf})
    Join(ViewOf(event, kind), happens_before, stride_);
}

void ExecutionGraph::ComeAfter(EventId event, EventId other, bool acquires) {
  HEDDLE_CHECK(event == Size() - 1 && other >= 0 && other < event);
  events_[event].label.other = events_[other].thread;
  events_[event].label.operand = events_[other].index + Value{1};
  Join(ViewOf(event, kPorf), ViewOf(other, kPorf), stride_);
  if (acquires) Join(ViewOf(event, kHappensBefore), ViewOf(other, kHappensBefore), stride_);
}

EventId ExecutionGraph::AppendUse(ThreadId thread, const Label& label) {
  HEDDLE_CHECK(IsEnabled(label, label.level));
  Need(label.location);
  const EventId use = Append(thread, EventKind::kUse, label);
  Event& e = events_[use];
  if (!Succeeds(label, label.level)) e.order = label.failure;
  HEDDLE_CHECK(e.order != Order::kPlain && e.order != Order::kSeqCst);
  Insert(use, NewestPosition(label.location));
  SetUseViews(use);
  return use;
}

void ExecutionGraph::Link(EventId load) {
  Event& write = Mutable(events_[load].reads_from);
  events_[load].next_reader = write.first_reader;
  write.first_reader = load;
}

void ExecutionGraph::Unlink(EventId load) {
  if (events_[load].reads_from == kNoEvent) return;
  Event& write = Mutable(events_[load].reads_from);
  HEDDLE_CHECK(write.first_reader == load);
  write.first_reader = events_[load].next_reader;
}

void ExecutionGraph::SetReadsFrom(EventId load, EventId write) {
  Unlink(load);
  Event& e = events_[load];
  Count(e, uint32_t(-1));
  e.reads_from = write;
  e.value = At(write).value;
  e.of_update = UpdateSucceeds(load);
  const bool failed = e.label.action == Action::kUpdate && !e.of_update;
  e.order = failed ? e.label.failure : e.label.order;
  Count(e, 1);
  Link(load);
  SetLoadViews(load);
}

void ExecutionGraph::Insert(EventId store, Position after) {
  std::vector<EventId>& stores = locations_[events_[store].label.location].stores;
  stores.insert(stores.begin() + after, store);
  for (Position i = after; i < stores.size(); ++i) events_[stores[i]].position = i + 1;
}

void ExecutionGraph::Erase(EventId store) {
  std::vector<EventId>& stores = locations_[events_[store].label.location].stores;
  const Position index = events_[store].position - 1;
  stores.erase(stores.begin() + index);
  for (Position i = index; i < stores.size(); ++i) events_[stores[i]].position = i + 1;
}

void ExecutionGraph::Move(EventId store, Position after) {
  Erase(store);
  Insert(store, after);
}

void ExecutionGraph::TakeNewest() {
  const EventId newest = Size() - 1;
  const Event& e = events_[newest];
  HEDDLE_CHECK(replay_.back() == newest && by_thread_[e.thread].back() == newest);
  if (e.IsLoad())
    Unlink(newest);
  else if (e.IsStore() || e.IsUse())
    Erase(newest);
  if (e.kind == EventKind::kCreate) created_by_[e.label.other] = kNoEvent;
  Count(e, uint32_t(-1));
  by_thread_[e.thread].pop_back();
  replay_.pop_back();
  events_.pop_back();  // ends `e`
}

void ExecutionGraph::CutAfter(EventId last) {
  while (Size() > last + 1) TakeNewest();
}

EventId ExecutionGraph::UpdateThatReads(EventId write, EventId but) const {
  for (EventId r = At(write).first_reader; r != kNoEvent; r = events_[r].next_reader)
    if (events_[r].of_update && r != but) return r;
  return kNoEvent;
}

EventId ExecutionGraph::OldestReached(LocationId location, Position above, Position most) const {
  EventId oldest = Size();
  for (Position p = above + 1; p <= most; ++p) oldest = std::min(oldest, WriteAt(location, p));
  for (EventId event = Size() - 1; event >= oldest; --event) {
    const Event& e = events_[event];
    if (!e.IsAccess()) continue;
    const Position after = e.IsStore() ? e.position : At(e.reads_from).position;
    if (after < NewestPosition(e.label.location))  // mo, fr
      oldest = std::min(oldest, WriteAt(e.label.location, after + 1));
    if (!e.IsStore()) continue;
    for (EventId r = e.first_reader; r != kNoEvent; r = events_[r].next_reader)
      oldest = std::min(oldest, r);
  }
  return oldest;
}

// Empty, for as many threads and locations as `like` has.
void ExecutionGraph::Clear(const ExecutionGraph& like) {
  threads_ = like.threads_, stride_ = like.stride_;
  events_.clear(), replay_.clear();
  by_thread_.resize(threads_);
  for (std::vector<EventId>& thread : by_thread_) thread.clear();
  created_by_.assign(threads_, kNoEvent);
  locations_.resize(like.locations_.size());
  weak_accesses_ = seq_cst_events_ = 0;
}

// The events of `other` that are older or in `prefix`, not linked.
void ExecutionGraph::CopyKept(const ExecutionGraph& other, EventId older_than, ConstView prefix) {
  Clear(other);
  renamed_.assign(other.events_.size(), kNoEvent);
  const size_t views_each = size_t{kViewKinds} * stride_;
  for (EventId old = 0; old < other.Size(); ++old) {
    const bool in_prefix = other.IsIn(prefix, old);
    if (old >= older_than && !in_prefix) continue;
    const EventId event = Size();
    renamed_[old] = event;
    Event& e = events_.emplace_back(other.events_[old]);
    HEDDLE_CHECK(by_thread_[e.thread].size() == e.index);
    e.revisitable = e.revisitable && !in_prefix;
    e.first_reader = kNoEvent;
    by_thread_[e.thread].push_back(event);
    MakeRoomForViews();
    std::copy_n(&other.views_[old * views_each], views_each, &views_[event * views_each]);
    if (e.kind == EventKind::kCreate) created_by_[e.label.other] = event;
    Count(e, 1);
  }
  for (LocationId l = 0; l < locations_.size(); ++l) {
    Location& location = locations_[l];
    location.initial = other.locations_[l].initial;
    location.initial.first_reader = kNoEvent;
    location.stores.clear();
    for (const EventId old : other.locations_[l].stores) {
      if (renamed_[old] == kNoEvent) continue;
      location.stores.push_back(renamed_[old]);
      events_[renamed_[old]].position = static_cast<Position>(location.stores.size());
    }
  }
}

// Reads-from and the order of replay, without `but`.
void ExecutionGraph::LinkCopied(const ExecutionGraph& other, EventId but) {
  for (EventId event = 0; event < Size(); ++event) {
    Event& e = events_[event];
    if (!e.IsLoad()) continue;
    if (event == but) {
      e.reads_from = e.next_reader = kNoEvent;
      continue;
    }
    if (e.reads_from >= 0) e.reads_from = renamed_[e.reads_from];
    Link(event);
  }
  for (const EventId old : other.replay_)
    if (renamed_[old] != kNoEvent && renamed_[old] != but) replay_.push_back(renamed_[old]);
}

ExecutionGraph::Renamed ExecutionGraph::CopyForRevisit(const ExecutionGraph& other, EventId load,
                                                       EventId write) {
  CopyKept(other, load + 1, other.Porf(write));
  const EventId new_load = renamed_[load];
  LinkCopied(other, new_load);
  replay_.push_back(new_load);
  return {new_load, renamed_[write]};
}

void ExecutionGraph::CopyForUse(const ExecutionGraph& other, EventId use, ConstView prefix,
                                ThreadId thread, const Label& instead) {
  CopyKept(other, use, prefix);
  LinkCopied(other, kNoEvent);
  events_[AppendUse(thread, instead)].revisitable = false;
}

}  // namespace heddle::model
