// An execution graph as a plan: the events that begin steps, in an order in which the program can
// make them.
#pragma once

#include <vector>

#include "model/graph.h"
#include "plan/plan.h"

namespace heddle::explore::rf {

struct Script {
  std::vector<op::ThreadId> threads;        // of the steps
  std::vector<uint32_t> newer;              // plan::Plan::newer
  std::vector<plan::ScriptOption> options;  // plan::Plan::options

  std::vector<uint8_t> stale;  // by event: the access need not be of the newest write; may be empty

  // Of MakeScript.
  std::vector<uint8_t> done;            // by event: it was made
  std::vector<model::Position> newest;  // by location: the newest write that was made
};

// `sequential`: in an order in which each load reads what was stored last, but for those in
// script.stale; else in the graph's own, with stale reads.
// False: there is no such order; operations were met that the graph does not have as they are.
bool MakeScript(const model::ExecutionGraph& graph, bool sequential, Script& script);

}  // namespace heddle::explore::rf
