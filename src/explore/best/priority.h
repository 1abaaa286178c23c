// Priority functions: how promising a backtracking point is. One small file with one function each.
//
// Source: GAMBIT (PPoPP'10), section 4. "Any priority function is admissible": it decides in which
// order executions are run, never which ones, so a function may guess.
//
// The paper's function is GetPriority(exec, bstep, tid): of a completed execution, a step of it at
// which a different thread could have run, and that thread. Ours is asked with the facts of these
// that any of the functions needs; the searches (best_first.cpp, and reductions for walk.cpp)
// collect those facts that are asked for.
#pragma once

#include <cstdint>

#include "trace/execution.h"

namespace heddle::explore {

// Would dynamic partial-order reduction run the thread there (Fig. 4, FindDporBacktrackingPoints)?
enum class Asked : uint8_t {
  kPrecisely,       // line 33: the thread is in a race with the step, and enabled before it
  kConservatively,  // lines 35-37: the one in the race is not, so all that are; or before a release
  kNot,
};

// Is a thread's next operation one that --focus-function and --focus-variable name?
struct Focus {
  bool function = false;  // made in one of the functions
  bool variable = false;  // accesses one of the variables
};

// From the bits of a step (trace::Step::focus).
inline Focus FocusOf(uint32_t bits) {
  return {(bits & trace::kFocusFunction) != 0, (bits & trace::kFocusVariable) != 0};
}

struct BacktrackingPoint {
  uint64_t name = 0;  // of the point: the same for no other one of the search, as far as possible
  uint64_t seed = 0;  // of the search
  uint32_t cost = 0;  // preemptions (or delays) up to there, with what the thread costs there
  Asked asked = Asked::kPrecisely;
  bool asleep = false;    // a depth-first search with sleep sets would not run the thread there
  Focus preempted = {};   // the thread that ran there
  Focus preempting = {};  // the one that is to run in its place
};

// Small numbers are good ones.
uint32_t Pb(const BacktrackingPoint& point);
uint32_t Dpor(const BacktrackingPoint& point);
uint32_t Mdpor(const BacktrackingPoint& point);
uint32_t Ss(const BacktrackingPoint& point);
uint32_t Rand(const BacktrackingPoint& point);
uint32_t Method(const BacktrackingPoint& point);
uint32_t Var(const BacktrackingPoint& point);

}  // namespace heddle::explore
