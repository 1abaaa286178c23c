// A graph as a row of numbers: for each event what it is and what it reads from, its views as they
// are, and of each location the first value and the modification order.
#include <algorithm>
#include <utility>
#include <vector>

#include "model/graph.h"
#include "model/numbers.h"

namespace heddle::model {
namespace {

// Events are numbered from 0, and initial writes go below.
constexpr uint64_t Zigzag(EventId event) {
  return event >= 0 ? uint64_t{2} * static_cast<uint64_t>(event)
                    : uint64_t{2} * static_cast<uint64_t>(~event) + 1;
}
constexpr EventId Unzigzag(uint64_t number) {
  const auto half = static_cast<EventId>(number / 2);
  return number % 2 == 0 ? half : ~half;
}

template <typename T>
uint64_t Number(T value) {
  return static_cast<uint64_t>(value);
}

}  // namespace

void SaveLabel(const Label& label, std::vector<uint64_t>& to) {
  const uint64_t flags = (label.continues_own_sequences ? 1u : 0u) | (label.blocks ? 2u : 0u) |
                         (label.begins_step ? 4u : 0u) | (label.ends_program ? 8u : 0u) |
                         (label.leaves_step ? 16u : 0u) | (label.shared ? 32u : 0u);
  to.insert(to.end(),
            {Number(label.action), Number(label.order), Number(label.failure), Number(label.update),
             flags, label.bytes, Number(label.needs), label.other, label.location, label.level,
             label.operand, label.expected, label.options, label.option});
}

Label LoadLabel(Numbers& from) {
  Label label;
  label.action = from.Below<Action>(Number(Action::kUse) + 1);
  label.order = from.Below<Order>(Number(Order::kSeqCst) + 1);
  label.failure = from.Below<Order>(Number(Order::kSeqCst) + 1);
  label.update = from.Below<Update>(Number(Update::kNand) + 1);
  const uint64_t flags = from.Below(64);
  label.continues_own_sequences = (flags & 1) != 0;
  label.blocks = (flags & 2) != 0;
  label.begins_step = (flags & 4) != 0;
  label.ends_program = (flags & 8) != 0;
  label.leaves_step = (flags & 16) != 0;
  label.shared = (flags & 32) != 0;
  label.bytes = from.Below<uint8_t>(9);
  label.needs = from.Below<Needs>(Number(Needs::kUnknown) + 1);
  label.other = from.Below<ThreadId>(UINT16_MAX);
  label.location = from.Below<LocationId>(INT32_MAX);
  label.level = from.Below<uint32_t>(uint64_t{UINT32_MAX} + 1);
  label.operand = from.Take();
  label.expected = from.Take();
  label.options = from.Below<uint32_t>(uint64_t{UINT32_MAX} + 1);
  label.option = from.Below<uint32_t>(label.options);
  return label;
}

void ExecutionGraph::Save(std::vector<uint64_t>& to) const {
  to.insert(to.end(), {threads_, locations_.size(), events_.size()});
  for (const Location& location : locations_) to.push_back(location.initial.value);
  for (const Event& e : events_) {
    SaveLabel(e.label, to);
    const uint64_t flags = (e.of_update ? 1u : 0u) | (e.revisitable ? 2u : 0u);
    to.insert(to.end(), {Number(e.kind), Number(e.order), flags, e.thread, e.value});
    if (e.IsLoad()) to.push_back(Zigzag(e.reads_from));
  }
  for (EventId event = 0; event < Size(); ++event) {
    const ConstView views = ViewOf(event, kHappensBefore);
    to.insert(to.end(), views, views + KindsOf(events_[event]) * stride_);
  }
  for (const Location& location : locations_) {
    to.push_back(location.stores.size());
    for (const EventId store : location.stores) to.push_back(Number(store));
  }
  for (const EventId event : replay_) to.push_back(Number(event));
}

// Of an event all but what other events say: its place in modification order, who reads it.
bool ExecutionGraph::LoadEvent(Numbers& from, uint64_t events) {
  const Label label = LoadLabel(from);
  Event e;
  e.label = label;
  e.kind = from.Below<EventKind>(Number(EventKind::kUse) + 1);
  e.order = from.Below<Order>(Number(Order::kSeqCst) + 1);
  const uint64_t flags = from.Below(4);
  e.of_update = (flags & 1) != 0;
  e.revisitable = (flags & 2) != 0;
  e.thread = from.Below<ThreadId>(threads_);
  e.value = from.Take();
  if (e.IsLoad()) e.reads_from = Unzigzag(from.Below(2 * std::max(events, locations_.size())));
  const bool is_known = e.reads_from < static_cast<EventId>(events) &&
                        (e.reads_from >= 0 || ~e.reads_from < static_cast<EventId>(Locations()));
  const bool touches = e.IsAccess() || e.IsUse();
  if (from.Failed() || (e.IsLoad() && !is_known) || (touches && label.location >= Locations()) ||
      label.other >= threads_)
    return false;
  const EventId event = Size();
  e.index = static_cast<uint16_t>(by_thread_[e.thread].size());
  by_thread_[e.thread].push_back(event);
  if (e.kind == EventKind::kCreate) created_by_[label.other] = event;
  events_.push_back(e);
  Count(e, 1);
  return true;
}

bool ExecutionGraph::Load(Numbers& from) {
  const auto threads = from.Below<ThreadId>(UINT16_MAX);
  *this = ExecutionGraph(threads);
  const size_t locations = from.Length();
  const size_t events = from.Length();
  if (locations != 0) Need(static_cast<LocationId>(locations - 1));
  for (Location& location : locations_) location.initial.value = from.Take();
  for (size_t event = 0; event < events; ++event)
    if (!LoadEvent(from, events)) return false;
  views_.resize(ViewsOfAll());
  for (EventId event = 0; event < Size(); ++event) {
    const View views = ViewOf(event, kHappensBefore);
    for (size_t i = 0; i < KindsOf(events_[event]) * stride_; ++i)
      views[i] = from.Below<uint16_t>(uint64_t{UINT16_MAX} + 1);
  }
  for (Location& location : locations_) {
    const size_t stores = from.Length();
    for (size_t i = 0; i < stores; ++i) {
      const auto store = from.Below<EventId>(events);
      if (from.Failed() || events_[store].position != 0) return false;
      location.stores.push_back(store);
      events_[store].position = static_cast<Position>(i + 1);
    }
  }
  for (EventId event = 0; event < Size(); ++event)
    if (events_[event].IsLoad()) Link(event);
  for (size_t i = 0; i < events; ++i) replay_.push_back(from.Below<EventId>(events));
  return !from.Failed();
}

void ExecutionGraph::Grow(ThreadId threads) {
  if (threads <= threads_) return;
  std::vector<uint16_t> views(events_.size() * kViewKinds * threads);
  for (size_t view = 0; view < events_.size() * kViewKinds; ++view)
    std::copy_n(&views_[view * stride_], stride_, &views[view * threads]);
  views_ = std::move(views);
  by_thread_.resize(threads);
  created_by_.resize(threads, kNoEvent);
  threads_ = threads;
  stride_ = threads;
}

}  // namespace heddle::model
