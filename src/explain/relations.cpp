#include "explain/relations.h"

#include <algorithm>
#include <utility>

namespace heddle::explain {

using model::EventKind;

Relations::Relations(const Recorded& execution)
    : execution_(execution),
      node_(execution.events.size()),
      index_(execution.events.size()),
      threads_(execution.threads),
      across_(execution.events.size()) {
  std::vector<std::vector<EventId>> events(execution.threads);
  for (EventId event = 0; event < execution.Size(); ++event) {
    const Event& e = execution.At(event);
    std::vector<EventId>& thread = threads_[e.thread];
    const bool second_half = e.IsStore() && e.of_update && !thread.empty();
    node_[size_t(event)] = second_half ? thread.back() : event;
    events[e.thread].push_back(event);
    if (!second_half) {
      index_[size_t(event)] = thread.size();
      thread.push_back(event);
    }
    if (!e.IsStore()) continue;
    if (writes_.size() <= e.location) writes_.resize(e.location + 1);
    writes_[e.location].push_back(event);
  }
  for (std::vector<EventId>& writes : writes_)
    std::ranges::sort(writes, {}, [&](EventId write) { return execution.At(write).position; });

  for (EventId event = 0; event < execution.Size(); ++event) {
    const Event& e = execution.At(event);
    if (e.IsLoad()) {
      if (e.reads_from >= 0) AddAcross(e.reads_from, event, Relation::kReadsFrom);
      const std::vector<EventId>& writes = WritesOf(e.location);
      size_t next = ReadLevel(event);
      // An update is not before itself.
      if (next < writes.size() && NodeOf(writes[next]) == event) ++next;
      if (next < writes.size()) AddAcross(event, writes[next], Relation::kFromRead);
    }
    if (e.kind == EventKind::kCreate && !threads_[e.other].empty())
      AddAcross(event, threads_[e.other].front(), Relation::kSynchronises);
    if (e.kind == EventKind::kJoin && !threads_[e.other].empty())
      AddAcross(threads_[e.other].back(), event, Relation::kSynchronises);
    for (model::ThreadId t = 0; t < e.known.size(); ++t)
      if (e.known[t] != 0 && t != e.thread && !events[t].empty())
        AddAcross(events[t][std::min<size_t>(e.known[t], events[t].size()) - 1], event,
                  Relation::kSynchronises);
  }
  for (const std::vector<EventId>& writes : writes_)
    for (size_t i = 0; i + 1 < writes.size(); ++i)
      AddAcross(writes[i], writes[i + 1], Relation::kModificationOrder);
}

void Relations::AddAcross(EventId from, EventId to, Relation relation) {
  const EventId a = NodeOf(from), b = NodeOf(to);
  if (a != b) across_[size_t(a)].push_back({a, b, relation});
}

const std::vector<EventId>& Relations::WritesOf(model::LocationId location) const {
  return location < writes_.size() ? writes_[location] : none_;
}

size_t Relations::LevelOf(EventId write) const {
  const Event& e = execution_.At(write);
  const auto position = [&](EventId other) { return execution_.At(other).position; };
  const std::vector<EventId>& writes = writes_[e.location];
  return static_cast<size_t>(std::ranges::upper_bound(writes, e.position, {}, position) -
                             writes.begin());
}

size_t Relations::ReadLevel(EventId load) const {
  const EventId write = execution_.At(load).reads_from;
  return write < 0 ? 0 : LevelOf(write);
}

std::vector<Edge> Relations::Nearest() const {
  std::vector<Edge> edges;
  for (const std::vector<EventId>& thread : threads_)
    for (size_t i = 0; i + 1 < thread.size(); ++i)
      edges.push_back({thread[i], thread[i + 1], Relation::kProgramOrder});
  for (const std::vector<Edge>& across : across_)
    edges.insert(edges.end(), across.begin(), across.end());
  return edges;
}

namespace {

// Tarjan's strongly connected components, without recursion.
class Components {
 public:
  explicit Components(const std::vector<std::vector<EventId>>& next)
      : next_(next), number_(next.size()), low_(next.size()), on_stack_(next.size()) {}

  // By node: is it in a component of several?
  std::vector<bool> Cyclic() {
    cyclic_.resize(next_.size());
    for (size_t node = 0; node < next_.size(); ++node)
      if (number_[node] == 0) Visit(node);
    return std::move(cyclic_);
  }

 private:
  void Enter(size_t node) {
    number_[node] = low_[node] = ++count_;
    on_stack_[node] = true;
    stack_.push_back(node);
    path_.push_back({node, 0});
  }

  void Visit(size_t root) {
    Enter(root);
    while (!path_.empty()) {
      const size_t node = path_.back().first;
      if (path_.back().second < next_[node].size()) {
        const auto to = static_cast<size_t>(next_[node][path_.back().second++]);
        if (number_[to] == 0)
          Enter(to);
        else if (on_stack_[to])
          low_[node] = std::min(low_[node], number_[to]);
        continue;
      }
      path_.pop_back();
      if (!path_.empty()) low_[path_.back().first] = std::min(low_[path_.back().first], low_[node]);
      if (low_[node] == number_[node]) Leave(node);
    }
  }

  void Leave(size_t root) {
    const bool several = stack_.back() != root;
    for (bool more = true; more;) {
      const size_t node = stack_.back();
      stack_.pop_back();
      on_stack_[node] = false;
      cyclic_[node] = several;
      more = node != root;
    }
  }

  const std::vector<std::vector<EventId>>& next_;
  std::vector<size_t> number_, low_;
  std::vector<bool> on_stack_, cyclic_;
  std::vector<size_t> stack_;
  std::vector<std::pair<size_t, size_t>> path_;  // a node, and how many of its edges were taken
  size_t count_ = 0;
};

// Breadth first by all edges, also those that follow from others: program order, modification order
// and from-read lead to everything that is further on. What a search has been to need not be looked
// at again, so of a thread or location only what lies before that.
class Search {
 public:
  Search(const Recorded& execution, const Relations& relations)
      : execution_(execution), relations_(relations) {}

  // The shortest cycle through `start` of less than `most` edges; empty: there is none.
  std::vector<Edge> CycleThrough(EventId start, size_t most) {
    arrived_.assign(execution_.events.size(), {model::kNoEvent, model::kNoEvent, {}});
    distance_.assign(execution_.events.size(), 0);
    first_in_thread_.assign(execution_.threads, SIZE_MAX);
    first_write_.clear();
    queue_ = {start};
    start_ = start;
    for (size_t at = 0; at < queue_.size(); ++at) {
      const EventId node = queue_[at];
      if (distance_[size_t(node)] + 1 >= most) return {};
      Expand(node);
      if (arrived_[size_t(start)].from != model::kNoEvent) return Path();
    }
    return {};
  }

 private:
  void Arrive(EventId from, EventId to, Relation relation) {
    Edge& edge = arrived_[size_t(to)];
    if (from == to || edge.from != model::kNoEvent) return;
    edge = {from, to, relation};
    if (to == start_) return;
    distance_[size_t(to)] = distance_[size_t(from)] + 1;
    queue_.push_back(to);
  }

  void Expand(EventId node) {
    for (const Edge& edge : relations_.Across(node))
      if (edge.relation == Relation::kReadsFrom || edge.relation == Relation::kSynchronises)
        Arrive(node, edge.to, edge.relation);
    for (const EventId event : {node, SecondHalf(node)}) {
      if (event == model::kNoEvent) continue;
      const Event& e = execution_.At(event);
      if (e.IsLoad()) Later(node, e.location, relations_.ReadLevel(event), Relation::kFromRead);
      if (e.IsStore())
        Later(node, e.location, relations_.LevelOf(event), Relation::kModificationOrder);
    }
    const std::vector<EventId>& thread = relations_.ThreadOf(node);
    size_t& first = first_in_thread_[execution_.At(node).thread];
    const size_t index = relations_.IndexOf(node) + 1, end = std::min(first, thread.size());
    for (size_t i = index; i < end; ++i) Arrive(node, thread[i], Relation::kProgramOrder);
    first = std::min(first, index);
  }

  void Later(EventId node, model::LocationId location, size_t level, Relation relation) {
    const std::vector<EventId>& writes = relations_.WritesOf(location);
    if (first_write_.size() <= location) first_write_.resize(location + 1, SIZE_MAX);
    const size_t end = std::min(first_write_[location], writes.size());
    for (size_t i = level; i < end; ++i) Arrive(node, relations_.NodeOf(writes[i]), relation);
    first_write_[location] = std::min(first_write_[location], level);
  }

  EventId SecondHalf(EventId node) const {
    const Event& e = execution_.At(node);
    if (!e.IsLoad() || !e.of_update) return model::kNoEvent;
    for (const EventId write : relations_.WritesOf(e.location))
      if (relations_.NodeOf(write) == node) return write;
    return model::kNoEvent;
  }

  std::vector<Edge> Path() const {
    std::vector<Edge> path;
    EventId node = start_;
    do {
      path.push_back(arrived_[size_t(node)]);
      node = path.back().from;
    } while (node != start_);
    std::ranges::reverse(path);
    return path;
  }

  const Recorded& execution_;
  const Relations& relations_;
  EventId start_ = 0;
  std::vector<Edge> arrived_;  // by node: the edge by which
  std::vector<size_t> distance_;
  std::vector<size_t> first_in_thread_;  // from there on all are arrived at
  std::vector<size_t> first_write_;      // by location, likewise
  std::vector<EventId> queue_;
};

// Nodes with an edge to an older one. The events were made one by one, each after what it reads, so
// each cycle has such an edge, by from-read or modification order.
std::vector<EventId> LeadBack(const Recorded& execution, const Relations& relations) {
  std::vector<EventId> nodes;
  for (EventId event = 0; event < execution.Size(); ++event) {
    const Event& e = execution.At(event);
    if (!e.IsAccess()) continue;
    const std::vector<EventId>& writes = relations.WritesOf(e.location);
    const size_t level = e.IsLoad() ? relations.ReadLevel(event) : relations.LevelOf(event);
    if (std::any_of(writes.begin() + static_cast<std::ptrdiff_t>(level), writes.end(),
                    [&](EventId write) { return write < event; }))
      nodes.push_back(relations.NodeOf(event));
  }
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

}  // namespace

std::vector<bool> OnCycles(const Recorded& execution) {
  const Relations relations(execution);
  std::vector<std::vector<EventId>> next(execution.events.size());
  for (const Edge& edge : relations.Nearest()) next[size_t(edge.from)].push_back(edge.to);
  const std::vector<bool> nodes = Components(next).Cyclic();
  std::vector<bool> events(execution.events.size());
  for (EventId event = 0; event < execution.Size(); ++event)
    events[size_t(event)] = nodes[size_t(relations.NodeOf(event))];
  return events;
}

Part CyclesOf(const Recorded& execution) {
  const std::vector<bool> on_cycles = OnCycles(execution);
  std::vector<bool> kept = on_cycles;
  for (EventId event = 0; event < execution.Size(); ++event) {
    const Event& e = execution.At(event);
    if (on_cycles[size_t(event)] && e.IsLoad() && e.reads_from >= 0)
      kept[size_t(e.reads_from)] = true;
  }
  Part part;
  part.execution.threads = execution.threads;
  std::vector<EventId> number(execution.events.size());
  // By thread, and by how many of its events there are: how many of these are kept.
  std::vector<std::vector<uint16_t>> made(execution.threads, std::vector<uint16_t>(1));
  for (EventId event = 0; event < execution.Size(); ++event) {
    const Event& old = execution.At(event);
    std::vector<uint16_t>& thread = made[old.thread];
    thread.push_back(static_cast<uint16_t>(thread.back() + (kept[size_t(event)] ? 1 : 0)));
    if (!kept[size_t(event)]) continue;
    number[size_t(event)] = part.execution.Size();
    part.events.push_back(event);
    Event& e = part.execution.events.emplace_back(old);
    if (e.reads_from >= 0) e.reads_from = number[size_t(e.reads_from)];
    for (model::ThreadId t = 0; t < e.known.size(); ++t)
      e.known[t] = made[t][std::min<size_t>(e.known[t], made[t].size() - 1)];
    // What is only read from: nothing leads to it, so that it is half of an update does not matter.
    if (!on_cycles[size_t(event)]) {
      e.of_update = false;
      e.order = model::Order::kRelaxed;
      e.action = model::Action::kStore;
      e.place = kNoPlace;
    }
  }
  return part;
}

std::vector<Edge> ShortestCycle(const Recorded& execution) {
  const Relations relations(execution);
  Search search(execution, relations);
  std::vector<Edge> best;
  size_t most = SIZE_MAX;
  for (const EventId start : LeadBack(execution, relations)) {
    std::vector<Edge> cycle = search.CycleThrough(start, most);
    if (cycle.empty()) continue;
    most = cycle.size();
    best = std::move(cycle);
  }
  if (best.empty()) return best;
  const auto oldest = std::ranges::min_element(best, {}, &Edge::from);
  std::ranges::rotate(best, oldest);
  return best;
}

}  // namespace heddle::explain
