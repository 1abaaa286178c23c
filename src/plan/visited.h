// What a search that knows what it has visited says to an execution while it runs: was what the
// execution has come to there before? Then what follows was explored, or will be, and the execution
// ends as redundant.
//
// Asked where every thread stands before its next operation. What is compared there is a key, of
// the kind that the search goes by. The execution computes it (runtime/states/visiting.h); the
// search keeps it. Not asked for what the plan repeats of earlier executions: all of it was visited
// by them.
//
// The object has no state of its own, as it may not outlive the process; `search` is the explorer's
// (explore/explorer.h). No allocation and no system call: it runs on the way of an event.
#pragma once

#include <cstdint>

#include "base/hash.h"
#include "base/transcript.h"
#include "base/wide_hash.h"
#include "op/operation.h"
#include "plan/made_step.h"

namespace heddle::plan {

// Two moments with one key can be followed by the same.
enum class KeyKind : uint8_t {
  kStates,    // the program's state (runtime/states/state_digest.h)
  kCounters,  // how often each thread has called heddle_hook (runtime/states/hook_state.h)
};

struct Key {
  uint64_t words[2] = {};

  friend bool operator==(const Key&, const Key&) = default;
};

inline Key KeyOf(const base::WideHash& hash) { return {{hash.a, hash.b}}; }

struct StateVisit {
  Key key;
  // What it costs to go on with a thread depends on this, too: who ran last and could go on. 0: on
  // nothing.
  uint64_t cost_key = 0;
  uint32_t step = 0;  // that begins here (trace::Step); with kCounters the number of the visit
  const MadeStep* made = nullptr;          // that led here; null: not known, or not asked
  const base::Transcript* text = nullptr;  // what the key was hashed of, if it is wanted
  // With kCounters: what the threads share; all that has to agree for what follows to be the same;
  // and where the thread that came last stands.
  Key shared = {};
  Key state = {};
  uintptr_t pc = 0;
};

// With a bound, a visit is one of a state and of who can go on at no cost (PLDI'07: a work item).
inline Key ItemOf(const StateVisit& visit) {
  if (visit.cost_key == 0) return visit.key;
  return {{base::MixTwo(visit.key.words[0], visit.cost_key), visit.key.words[1]}};
}

struct VisitResult {
  bool known = false;
  // Of a known one that this very execution has come through: the step that began there. So it went
  // round a cycle.
  uint32_t since = kNever;
  // With kCounters: something else was shared there before. It is a race condition.
  bool differs = false;

  static constexpr uint32_t kNever = 0xffffffffu;
  bool IsCycle() const { return since != kNever; }
};

class Visited {
 public:
  // An execution begins; perhaps the same one again, after it could not be run to its end. What it
  // visited then is forgotten.
  virtual void Begin(void* search) const = 0;
  // The execution comes by there, as the plan has it.
  virtual void Pass(void* search, const StateVisit& visit) const = 0;
  // The execution is there, and the plan says nothing more.
  virtual VisitResult Visit(void* search, const StateVisit& visit) const = 0;

 protected:
  ~Visited() = default;
};

// Of a plan: who is asked, for keys of which kind; null: nobody.
struct Visiting {
  const Visited* by = nullptr;
  void* search = nullptr;
  KeyKind kind = KeyKind::kStates;
  bool exact = false;  // wants to see what keys were hashed of
};

}  // namespace heddle::plan
