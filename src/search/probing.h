// Runs a few random executions on the side of a long search, to estimate how many executions it
// takes, and which bound on preemptions would take few enough (explore/hb/estimate.h).
//
// They are none of the search's: they count nowhere, but a bug that one of them shows is reported.
//
// What they teach about the program (say, where loops wait) changes the executions after them. So
// when they run does not depend on the clock but on work: on what the search has run, in
// nanoseconds of a common machine.
#pragma once

#include <cstdint>
#include <optional>

#include "channel/progress.h"
#include "channel/settings.h"
#include "explore/hb/estimate.h"
#include "search/findings.h"
#include "target/target.h"

namespace heddle::search {

class Probing {
 public:
  static constexpr uint32_t kBounds = 7;  // 0 .. 6 preemptions
  // Part of the data that outlives the process.
  struct State {
    struct Tree {
      explore::Mean mean;
      bool is_unknown = false;  // of some probe it is not known how many schedules are alike
    };
    Tree whole;             // all that is to be searched
    Tree bounded[kBounds];  // by number of preemptions
    uint64_t probes = 0;
    uint64_t most_numbers = 50'000;  // of a probe, that may be computed
    uint64_t spent = 0;              // work
    bool in_flight = false;          // the execution is a probe
  };

  Probing(State* state, FindingObserver& findings);

  // Is it time for some more, after all that was searched?
  bool AreDue(const FindingObserver::State& searched) const;
  // Runs some, and publishes what they say. Stops at once when one shows something new.
  void Run(target::Target& target, uint64_t searched_ns, uint64_t executions);

 private:
  void BeginAgain();
  std::optional<double> RunOne(target::Target& target, uint32_t bound);
  void Add(target::Target& target, State::Tree& tree, uint32_t bound);
  void Publish(uint64_t searched_ns, uint64_t executions) const;

  State* const state_;
  FindingObserver& findings_;
};

}  // namespace heddle::search
