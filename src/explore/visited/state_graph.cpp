#include "explore/visited/state_graph.h"

#include <utility>

namespace heddle::explore {

StateGraph::StateGraph(const StateEdges& edges) : edges_(edges) {
  for (const StateEdge& edge : edges) {
    states_.push_back(edge.from);
    states_.push_back(edge.to);
  }
  std::ranges::sort(states_);
  states_.erase(std::unique(states_.begin(), states_.end()), states_.end());
  first_.assign(states_.size() + 1, 0);
  for (const StateEdge& edge : edges) ++first_[NumberOf(edge.from) + 1];
  for (size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  out_.resize(edges.size());
  std::vector<uint32_t> at(first_.begin(), first_.end() - 1);
  for (uint32_t i = 0; i < edges.size(); ++i)
    out_[at[NumberOf(edges[i].from)]++] = {NumberOf(edges[i].to), i};
}

namespace {

// Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1972, without
// recursion: the number of the component of each state.
std::vector<uint32_t> ComponentsOf(const StateGraph& graph) {
  constexpr uint32_t kNew = 0xffffffffu;
  std::vector<uint32_t> index(graph.Size(), kNew);
  std::vector<uint32_t> low(graph.Size());
  std::vector<uint32_t> component(graph.Size(), kNew);
  std::vector<uint32_t> open;
  std::vector<std::pair<uint32_t, uint32_t>> path;  // a state, and the next of its edges
  uint32_t next = 0;
  uint32_t components = 0;
  const auto enter = [&](uint32_t state) {
    index[state] = low[state] = next++;
    open.push_back(state);
    path.emplace_back(state, graph.First(state));
  };
  for (uint32_t root = 0; root < graph.Size(); ++root) {
    if (index[root] != kNew) continue;
    enter(root);
    while (!path.empty()) {
      auto& [state, edge] = path.back();
      if (edge != graph.End(state)) {
        const uint32_t to = graph.At(edge++).to;
        if (index[to] == kNew)
          enter(to);
        else if (component[to] == kNew)
          low[state] = std::min(low[state], index[to]);
        continue;
      }
      const uint32_t done = state;
      path.pop_back();
      if (!path.empty()) low[path.back().first] = std::min(low[path.back().first], low[done]);
      if (low[done] != index[done]) continue;
      for (uint32_t member = kNew; member != done;) {
        member = open.back();
        open.pop_back();
        component[member] = components;
      }
      ++components;
    }
  }
  return component;
}

}  // namespace

std::vector<StateEdges> Components(const StateEdges& edges) {
  std::vector<StateEdges> parts;
  if (edges.empty()) return parts;
  const StateGraph graph(edges);
  const std::vector<uint32_t> component = ComponentsOf(graph);
  constexpr uint32_t kNone = 0xffffffffu;
  std::vector<uint32_t> part_of(graph.Size(), kNone);  // by component
  for (const StateEdge& edge : edges) {
    const uint32_t from = component[graph.NumberOf(edge.from)];
    if (from != component[graph.NumberOf(edge.to)]) continue;
    if (part_of[from] == kNone) {
      part_of[from] = static_cast<uint32_t>(parts.size());
      parts.emplace_back();
    }
    parts[part_of[from]].push_back(edge);
  }
  return parts;
}

}  // namespace heddle::explore
