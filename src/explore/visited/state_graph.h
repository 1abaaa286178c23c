// Steps between states as a graph: its strongly connected components, and the shortest ways through
// it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "explore/visited/key_table.h"
#include "explore/visited/step_labels.h"

namespace heddle::explore {

struct StateEdge {
  KeyTable::Id from = 0;
  KeyTable::Id to = 0;
  StepLabels::Id label = StepLabels::kNone;
};

using StateEdges = std::vector<StateEdge>;

// The strongly connected components, by their edges. States without an edge to themselves or in a
// circle are in none.
std::vector<StateEdges> Components(const StateEdges& edges);

// The edges of a graph by the state that they leave, states numbered anew from 0 on.
class StateGraph {
 public:
  // REQUIRES: `edges` lives longer.
  explicit StateGraph(const StateEdges& edges);

  struct Out {
    uint32_t to;
    uint32_t edge;  // index
  };
  uint32_t Size() const { return static_cast<uint32_t>(states_.size()); }
  uint32_t NumberOf(KeyTable::Id state) const {
    return static_cast<uint32_t>(std::ranges::lower_bound(states_, state) - states_.begin());
  }
  uint32_t First(uint32_t state) const { return first_[state]; }
  uint32_t End(uint32_t state) const { return first_[state + 1]; }
  const Out& At(uint32_t i) const { return out_[i]; }
  const StateEdge& EdgeAt(uint32_t index) const { return edges_[index]; }

 private:
  const StateEdges& edges_;
  std::vector<KeyTable::Id> states_;
  std::vector<uint32_t> first_;
  std::vector<Out> out_;
};

// Goes through a component, by the shortest ways.
class Walker {
 public:
  Walker(const StateGraph& graph, uint32_t at) : graph_(graph), at_(at) {}

  // To the nearest edge that is wanted, and along it.
  template <typename Wanted>
  bool GoBy(Wanted wanted) {
    return Go([&](const StateGraph::Out& out) { return wanted(graph_.EdgeAt(out.edge)); });
  }
  void GoTo(uint32_t state) {
    if (at_ != state) Go([&](const StateGraph::Out& out) { return out.to == state; });
  }
  const StateEdges& Made() const { return made_; }

 private:
  template <typename IsLast>
  bool Go(IsLast is_last) {
    constexpr uint32_t kNew = 0xffffffffu;
    std::vector<uint32_t> came(graph_.Size(), kNew);  // by which entry of the graph
    std::vector<uint32_t> from(graph_.Size());
    std::vector<uint32_t> queue = {at_};
    for (size_t head = 0; head < queue.size(); ++head) {
      const uint32_t state = queue[head];
      for (uint32_t i = graph_.First(state); i < graph_.End(state); ++i) {
        const StateGraph::Out& out = graph_.At(i);
        if (is_last(out)) {
          Take(state, i, came, from);
          return true;
        }
        if (came[out.to] != kNew || out.to == at_) continue;
        came[out.to] = i;
        from[out.to] = state;
        queue.push_back(out.to);
      }
    }
    return false;
  }

  void Take(uint32_t state, uint32_t last, const std::vector<uint32_t>& came,
            const std::vector<uint32_t>& from) {
    const size_t begin = made_.size();
    made_.push_back(graph_.EdgeAt(graph_.At(last).edge));
    for (uint32_t at = state; at != at_; at = from[at])
      made_.push_back(graph_.EdgeAt(graph_.At(came[at]).edge));
    std::reverse(made_.begin() + static_cast<ptrdiff_t>(begin), made_.end());
    at_ = graph_.At(last).to;
  }

  const StateGraph& graph_;
  uint32_t at_;
  StateEdges made_;
};

}  // namespace heddle::explore
