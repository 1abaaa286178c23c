// What unsound reductions would say of the backtracking points of an execution: which ones dynamic
// partial-order reduction would add, and which threads would sleep. A search by bound must not
// leave anything out because of that, but it may run it last (GAMBIT, section 4.1).
//
// A point is a choice of threads and a thread that is open there. Its step is the one that the
// choice led to. Answers are about the execution that was taken last, by its own steps only: a
// guess, as a point that this execution does not ask for another one may.
#pragma once

#include <cstdint>
#include <vector>

#include "explore/best/priority.h"
#include "explore/order/step_graph.h"
#include "explore/order/step_label.h"
#include "explore/stop_token.h"
#include "trace/execution.h"

namespace heddle::explore {

class Backtracking {
 public:
  // `asked`, `asleep`: which of the two will be wanted. In time linear in the execution, but for
  // the accesses that each race looks back over. After a stop request it leaves its work
  // unfinished.
  void Take(const trace::Execution& execution, bool asked, bool asleep, StopToken stop_token);

  // REQUIRES: `choice` is one of threads of that execution, at which `thread` is open, and it was
  // taken with that answer wanted.
  Asked AskedAt(const trace::Choice& choice, op::ThreadId thread) const;
  bool AsleepAt(const trace::Choice& choice, op::ThreadId thread) const;

 private:
  void FindDporBacktrackingPoints(const trace::Execution& execution, StopToken stop_token);
  void AddForRaces(const trace::Execution& execution, op::ThreadId thread);
  void FindAsleep(const trace::Execution& execution, StopToken stop_token);

  // Bits of threads, as execution.words has them: those of a choice from Choice::sets on.
  std::vector<uint64_t> precise_;
  std::vector<uint64_t> conservative_;
  std::vector<uint64_t> asleep_;

  StepGraph graph_;
  std::vector<StepGraph::Race> races_;
  std::vector<Label> sleepers_;
};

}  // namespace heddle::explore
