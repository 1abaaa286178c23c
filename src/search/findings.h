// From an execution that shows a bug to a finding in the report: noticed once, minimised,
// explained.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "check/finding.h"
#include "explore/explorer.h"
#include "explore/observer.h"
#include "target/target.h"

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

// Minimises and explains what is unexplained, and writes it to the report: as soon as it is
// noticed, again when it was recorded, and again when it was minimised (channel::Missing).
// `at_least`: the search has shown that fewer preemptions and early timeouts do not suffice.
// `apart` runs the program in another process: an execution that killed its process is explained
// there. When that fails too, the finding is written without steps: it is never lost. When the
// search is to end, so does this, and what was written last stands. Answers how many findings were
// new.
// `other`: of a race condition, the schedule that the one that was found differs from; or nothing.
unsigned ReportUnexplained(FindingObserver::State* state, target::Target& target,
                           target::Target& apart, bool minimise, uint32_t at_least,
                           const std::optional<explore::OtherOrder>& other);

// What a process begins with that goes on with a search.
void TakeUpFindings(const FindingObserver::State& state);

// The search ended at a bug, was saved there, and goes on after all.
void GoOnBehindBug(FindingObserver::State* state);

// A replay: explains the given schedule, bug or not. `expected`: identity of the bug that it was
// recorded for; if that shows, only that is written to the report, else all that does.
void ExplainSchedule(FindingObserver::State* state, target::Target& target,
                     const std::vector<uint32_t>& schedule, plan::EndAt end_at, uint64_t expected);

}  // namespace heddle::search
