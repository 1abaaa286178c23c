// TruSt on the small programs of program.h, by an interpreter in place of the runtime.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "graph.h"
#include "model/consistency.h"
#include "model/stale.h"
#include "model/trust.h"
#include "program.h"

namespace heddle::litmus {

struct Explored {
  uint64_t executions = 0;
  uint64_t deadlocks = 0;  // of them
  uint64_t refused = 0;    // by us: the use that came before others is not enabled there
  std::map<uint64_t, uint32_t> graphs;  // by Hash, how often each
  std::set<Outcome> outcomes;
  bool race = false;
  model::Trust::Counts counts;
};

struct ExploreOptions {
  bool continue_own_sequences = false;  // RC11 as in the paper, instead of C++20
  bool keep_graphs = false;
  bool look_for_races = true;
  // Main is a thread, too: it writes 0 to all locations, creates the threads, joins them, and reads
  // the final values, all of it plainly. Without it, threads are there from the beginning.
  bool with_main = false;
  // TruSt is not told what uses need that may be blocked.
  bool needs_unknown = false;
  // Which thread goes on is drawn instead of the first that can. Not 0: the seed.
  uint64_t random_threads = 0;
  // Graphs that cost more stale accesses are dropped.
  std::optional<uint32_t> most_stale = {};
  // Is shown each graph that is complete.
  std::function<void(const model::ExecutionGraph&, const Outcome&)> look = {};
};

// Fails, by gtest, if a replay does not do what the graph says.
Explored Explore(const Program& program, model::Consistency& model,
                 const ExploreOptions& options = {});

}  // namespace heddle::litmus
