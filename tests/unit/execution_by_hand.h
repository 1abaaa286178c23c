// An execution written down step by step, for the tests of what reads it as a partial order. One
// event a step; what happens between the threads follows from the objects and releases.
#pragma once

#include <vector>

#include "explore/order/step_graph.h"

namespace heddle::explore {

class ByHand {
 public:
  explicit ByHand(uint32_t threads) { execution_.threads = threads; }

  struct Part {
    uint32_t object;
    op::Level level = 0;
    op::Level expected = 0;
  };
  // The first one is step 1: step 0 is what runs before any thread is chosen.
  void Step(op::ThreadId thread, op::Kind kind, op::Access access, const std::vector<Part>& parts,
            uint8_t detail = 0) {
    const auto index = static_cast<uint32_t>(events_.size());
    if (parts.size() > 1) detail |= op::kListed;
    steps_.push_back({thread, index, 0});
    events_.push_back({thread, kind, access, 0, detail, parts[0].object, parts[0].level,
                       parts[0].expected, op::kNoThread, 0});
    if (parts.size() == 1) return;
    for (const Part& part : parts) {
      touches_.push_back({index, part.object, part.level, part.expected});
    }
  }
  void Load(op::ThreadId thread, uint32_t object) {
    Step(thread, op::Kind::kAtomicLoad, op::Access::kRead, {{object}});
  }
  void Store(op::ThreadId thread, uint32_t object) {
    Step(thread, op::Kind::kAtomicStore, op::Access::kWrite, {{object}});
  }
  // The last step lets `thread` go: it created it, or woke it up.
  void Release(op::ThreadId thread) {
    let_go_.push_back({thread, static_cast<uint32_t>(events_.size()), false});
  }

  const trace::Execution& Get() {
    execution_.events = events_;
    execution_.touches = touches_;
    execution_.steps = steps_;
    execution_.let_go = let_go_;
    return execution_;
  }

 private:
  trace::Execution execution_;
  std::vector<trace::Event> events_;
  std::vector<trace::Touch> touches_;
  std::vector<trace::Step> steps_{{op::kNoThread, 0, 0}};
  std::vector<trace::LetGo> let_go_;
};

inline std::vector<StepGraph::Race> RacesOf(const StepGraph& graph, StepIndex i) {
  std::vector<StepGraph::Race> races;
  graph.FindRaces(i, races);
  return races;
}

}  // namespace heddle::explore
