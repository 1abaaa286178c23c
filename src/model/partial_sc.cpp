#include "model/partial_sc.h"

#include <algorithm>

namespace heddle::model {
namespace {

constexpr uint32_t kNone = UINT32_MAX;

bool HaveOneLocation(const Event& a, const Event& b) {
  return a.IsAccess() && b.IsAccess() && a.label.location == b.label.location;
}

bool IsFence(const Event& e) { return e.kind == EventKind::kFence; }

}  // namespace

uint32_t PartialSc::LevelOf(EventId access) const {
  const Event& e = graph_->At(access);
  return e.IsStore() ? 2 * e.position : 2 * graph_->At(e.reads_from).position + 1;
}

bool PartialSc::HasCycle(const ExecutionGraph& graph, EventId access) {
  const Event& e = graph.At(access);
  const Position position = e.IsStore() ? e.position : graph.At(e.reads_from).position;
  const Position newest = graph.NewestPosition(e.label.location);
  if (position == newest) return false;  // no edge leaves it
  // The store of its own update has none either.
  if (e.IsLoad() && e.of_update && position + 1 == newest &&
      graph.At(graph.Newest(e.label.location)).thread == e.thread &&
      graph.At(graph.Newest(e.label.location)).index == e.index + 1)
    return false;
  graph_ = &graph;
  oldest_ = graph.IsLong() ? graph.OldestReached(e.label.location, position, newest) : 0;
  FindNodes();
  states_.assign(nodes_.size(), State::kNew);
  for (uint32_t node = 0; node < nodes_.size(); ++node)
    if (BeginsCycle(node, access) && states_[node] == State::kNew && Search(node)) return true;
  return false;
}

// An edge may leave the node because of `access`, or of the store of its own update.
bool PartialSc::BeginsCycle(uint32_t node, EventId access) const {
  const EventId event = nodes_[node];
  if (IsFence(graph_->At(event))) return graph_->HappensBefore(event, access);
  return event == access || (event > access && graph_->Before(event) == access);
}

void PartialSc::FindNodes() {
  nodes_.clear();
  levels_.clear();
  for (EventId event = oldest_; event < graph_->Size(); ++event)
    if (graph_->At(event).order == Order::kSeqCst) nodes_.push_back(event);
  levels_.assign(nodes_.size() * graph_->Locations(), {kNone, 0, 0});
  for (uint32_t node = 0; node < nodes_.size(); ++node)
    if (IsFence(graph_->At(nodes_[node])))
      FindLevels(nodes_[node], &levels_[node * graph_->Locations()]);
}

void PartialSc::FindLevels(EventId fence, Levels* levels) const {
  for (EventId event = oldest_; event < graph_->Size(); ++event) {
    const Event& e = graph_->At(event);
    if (!e.IsAccess()) continue;
    Levels& at = levels[e.label.location];
    const uint32_t level = LevelOf(event);
    if (graph_->HappensBefore(fence, event)) {
      at.lowest_after = std::min(at.lowest_after, level);
    } else if (graph_->HappensBefore(event, fence)) {
      at.highest_before = std::max(at.highest_before, level + 1);
      if (e.IsStore()) at.highest_store_before = std::max(at.highest_store_before, level + 1);
    }
  }
}

// Depth-first: an edge to a node that is open closes a cycle.
bool PartialSc::Search(uint32_t node) {
  states_[node] = State::kOpen;
  for (uint32_t next = 0; next < nodes_.size(); ++next) {
    if (next == node || states_[next] == State::kDone || !HasEdge(node, next)) continue;
    if (states_[next] == State::kOpen || Search(next)) return true;
  }
  states_[node] = State::kDone;
  return false;
}

bool PartialSc::HasEdge(uint32_t from, uint32_t to) const {
  const bool from_fence = IsFence(graph_->At(nodes_[from]));
  const bool to_fence = IsFence(graph_->At(nodes_[to]));
  if (from_fence && to_fence) return FenceToFence(from, to);
  if (from_fence) return FenceToAccess(from, nodes_[to]);
  if (to_fence) return AccessToFence(nodes_[from], to);
  return AccessToAccess(nodes_[from], nodes_[to]);
}

// [Fsc]; hb; eco; hb; [Fsc]
bool PartialSc::FenceToFence(uint32_t from, uint32_t to) const {
  for (LocationId l = 0; l < graph_->Locations(); ++l)
    // Levels `before` are one higher than they are, so this is a strict comparison of levels.
    if (LevelsOf(from, l).lowest_after != kNone &&
        LevelsOf(from, l).lowest_after + 1 < LevelsOf(to, l).highest_before)
      return true;
  return false;
}

// [Fsc]; hb; (mo + fr); [Esc]
bool PartialSc::FenceToAccess(uint32_t from, EventId to) const {
  const Event& e = graph_->At(to);
  const uint32_t lowest = LevelsOf(from, e.label.location).lowest_after;
  return e.IsStore() && lowest != kNone && lowest < LevelOf(to);
}

// [Esc]; (mo + fr); hb; [Fsc]
bool PartialSc::AccessToFence(EventId from, uint32_t to) const {
  const LocationId location = graph_->At(from).label.location;
  return LevelOf(from) + 1 < LevelsOf(to, location).highest_store_before;
}

bool PartialSc::AccessToAccess(EventId from, EventId to) const {
  const Event& a = graph_->At(from);
  const Event& b = graph_->At(to);
  const bool one_location = HaveOneLocation(a, b);
  if (one_location && b.IsStore() && LevelOf(from) < LevelOf(to)) return true;  // mo, fr
  if (!graph_->HappensBefore(from, to)) return false;
  return one_location || a.thread == b.thread || ByOtherLocations(from, to);
}

// po!=loc; hb; po!=loc: the nearest such neighbours reach most.
bool PartialSc::ByOtherLocations(EventId from, EventId to) const {
  const Event& a = graph_->At(from);
  const Event& b = graph_->At(to);
  const std::span<const EventId> after = graph_->EventsOf(a.thread);
  const std::span<const EventId> before = graph_->EventsOf(b.thread);
  uint32_t i = a.index + 1;
  while (i < after.size() && HaveOneLocation(a, graph_->At(after[i]))) ++i;
  uint32_t j = b.index;
  while (j > 0 && HaveOneLocation(b, graph_->At(before[j - 1]))) --j;
  const EventId neighbour = j > 0 ? before[j - 1] : graph_->CreatedBy(b.thread);
  if (neighbour == kNoEvent) return false;
  if (i < after.size() && (after[i] == neighbour || graph_->HappensBefore(after[i], neighbour)))
    return true;
  return EndHappensBefore(a.thread, neighbour);
}

// The end of a thread is no event, but comes after its last one in program order, as its beginning
// comes before its first one, and is at no location.
bool PartialSc::EndHappensBefore(ThreadId thread, EventId event) const {
  for (EventId join = 0; join < graph_->Size(); ++join) {
    const Event& e = graph_->At(join);
    if (e.kind == EventKind::kJoin && e.label.other == thread &&
        (join == event || graph_->HappensBefore(join, event)))
      return true;
  }
  return false;
}

}  // namespace heddle::model
