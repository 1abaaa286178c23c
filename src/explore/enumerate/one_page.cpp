#include "explore/enumerate/one_page.h"

#include <algorithm>
#include <utility>

namespace heddle::explore {

std::optional<plan::Plan> OnePage::NextPlan() {
  if (!VisitedCounters::Prepare(own_.counters, options_)) return std::nullopt;
  std::optional<plan::Plan> plan;
  if (!s_.started)
    plan = Begin();
  else if (std::exchange(own_.again, false))
    plan = plan::Plan{.deviations = s_.deviations};
  else
    plan = TakeFromStack();
  if (!plan) {
    s_.exhausted = true;
    return std::nullopt;
  }
  plan->visiting = VisitedCounters::Of(own_.counters);
  return plan;
}

void OnePage::Learn(const trace::Execution& execution) {
  if (execution.ending.kind == trace::EndKind::kRaceCondition) {
    VisitedCounters::Tell(own_.counters, execution.ending.pc);
    own_.again = true;
    return;
  }
  // The table tells what schedule led to an entry by the execution that met it.
  if (VisitedCounters::Commit(own_.counters, InFlight())) Hold(InFlight());
  KeepOnStack(execution, kUnbounded);
}

std::optional<VisitedCount> OnePage::Visited() const {
  const VisitedCounters::State& counters = own_.counters;
  return VisitedCount{.states = counters.states.Size(),
                      .bytes = counters.counters.Bytes() + counters.states.Bytes() +
                               counters.shared.capacity() * sizeof(plan::Key) +
                               counters.met_by.capacity() * sizeof(Id)};
}

std::optional<OtherOrder> OnePage::Other() const {
  const VisitedCounters::State& counters = own_.counters;
  if (counters.differs == KeyTable::kNone) return std::nullopt;
  OtherOrder other;
  other.moment = counters.counters[counters.differs].step;
  // Met before by this very execution: no counters come twice.
  for (Id id = counters.met_by[counters.differs]; id != ExecutionTree::kNone;
       id = s_.tree.At(id).parent) {
    if (id == ExecutionTree::kRoot) continue;
    const ExecutionTree::Node& node = s_.tree.At(id);
    other.deviations.push_back({node.step, node.option});
  }
  std::ranges::reverse(other.deviations);
  return other;
}

std::optional<claim::Incomplete> OnePage::Gap() const {
  if (own_.counters.full) return claim::Incomplete::kStatesFull;
  if (own_.counters.lost) return claim::Incomplete::kStatesLost;
  return Enumeration::Gap();
}

}  // namespace heddle::explore
