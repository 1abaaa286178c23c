// Notices the bugs that executions show, each once. report_findings.h minimises and explains them.
#pragma once

#include <cstdint>
#include <vector>

#include "channel/records.h"
#include "check/finding.h"
#include "explore/observer.h"

namespace heddle::search {

// Watches for bugs that were not reported yet. Part of the data that outlives the process.
class FindingObserver final : public explore::Observer {
 public:
  struct Unexplained {
    check::Finding finding;
    std::vector<uint32_t> schedule;  // the option of every choice point
    uint32_t preemptions;
    uint32_t early_timeouts;
    uint64_t execution;
    uint32_t number = 0;    // channel::FindingRecord; 0: not told yet
    uint32_t attempts = 0;  // at explaining it; the process dies in some of them
  };
  // The plain accesses of a race, which become scheduling points if the search goes on.
  struct RacedPlaces {
    std::vector<uintptr_t> pcs;
    bool all = false;  // none is missing
  };
  struct State {
    std::vector<uint64_t> known;           // keys of findings seen since the search began (again)
    std::vector<uint64_t> reported;        // identities in the report
    std::vector<uint64_t> suppressed;      // identities that the user does not want in it
    std::vector<uint64_t> weak_pairs;      // identities in the report
    std::vector<Unexplained> unexplained;  // noticed, not yet explained
    std::vector<RacedPlaces> put_off;      // of races at which the search ended
    std::vector<uintptr_t> leak_places;    // what these allocate is told apart by its stack
    uint32_t told = 0;                     // the last number that a bug was told by
    uint64_t executions = 0;
    uint64_t again = 0;  // of these: had been run before, as far as the search knew
    uint64_t redundant = 0;
    uint64_t assumed_away = 0;  // dropped by heddle_assume
    uint64_t cut = 0;           // of `executions`: ended by a limit
    uint64_t hooks = 0;         // explore/hook_count.h
    uint64_t events = 0;
    uint64_t threads = 0;       // most in one execution
    uint64_t earlier_runs = 0;  // before the search began again
    bool was_stopped = false;   // the last one, on its way: the search is to end
    bool uncontrolled = false;
    char culprit[488] = {};
  };

  explicit FindingObserver(State* state) : state_(state) {}

  // The process before this one died while it explained a finding: that execution was none of the
  // search's.
  static bool DiedExplaining(const State& state) {
    return !state.unexplained.empty() && state.unexplained.front().attempts != 0;
  }

  // Stops the search when something is unexplained, or the program is out of control.
  Then OnExecution(const plan::Plan& plan, const trace::Execution& execution) override;

  // An execution that is none of the search's: counts nothing, but notices what it shows.
  void NoteProbe(const trace::Execution& execution);
  // Is there something unexplained, or is the program out of control?
  static bool HasNews(const State& state) {
    return !state.unexplained.empty() || state.uncontrolled;
  }
  bool HasNews() const { return HasNews(*state_); }

 private:
  void Notice(const check::Finding& finding, const trace::Execution& execution);

  State* const state_;
};

// Writes what is known of an execution that was not explained: who was chosen where.
void WriteUnexplained(const FindingObserver::Unexplained& unexplained, channel::Missing missing);

// What is known before anything else is found out, unless it is clear already that it is no bug to
// report.
void TellAtOnce(FindingObserver::State* state, FindingObserver::Unexplained& one);

}  // namespace heddle::search
