// Makes the schedule of a finding easy to read: fewest stale accesses (model/stale.h) and early
// timeouts first, because these may be what the program relies on not to happen; then fewest
// preemptions, then fewest context switches, then fewest deviations from the default. Shrinking is
// an explorer too: it proposes schedules, and learns from what they did.
//
// A schedule is described by its list of options, one per choice point. A changed schedule meets
// other choice points than the one it was made from, so the proposals are lenient plans
// (plan/plan.h), and what counts is only what came out: a proposal is accepted if the execution
// still shows the finding and measures less. Every measure is a natural number and acceptance
// lowers it, so this ends; the budget ends it sooner.
//
//   kReorder once, the same execution with its independent steps in the order that needs the fewest
//            preemptions (hb/linearise.h)
//   kDrop    leave out runs of deviations, long runs first (as in Zeller's delta debugging), so
//            that the default takes over
//   kMerge   join a thread's turn with its next one, by moving either next to the other; or leave
//            a turn out
//   kSearch  context-bounded search without early timeouts, if the best so far has some, else with
//            fewer preemptions; what it finds first has the fewest there are. After it only
//            switches can be saved, so the first two run once more.
//
// The first two may use half of the budget, the search three eighths, and the last round whatever
// is left.
#pragma once

#include <span>
#include <vector>

#include "explore/enumerate/context_bounded.h"
#include "explore/explorer.h"
#include "explore/por/bounded_dpor.h"

namespace heddle::explore {

// Tells whether an execution shows the finding being minimised.
class SameFinding {
 public:
  virtual bool Holds(const trace::Execution& execution) = 0;

 protected:
  ~SameFinding() = default;
};

class Minimise final : public Explorer {
 public:
  enum class Phase : uint8_t { kReorder, kDrop, kMerge, kSearch, kDone };

  // The best schedule so far is a list of these: its choice points, and the events at which one
  // thread only was enabled. The latter are needed because they become choice points when another
  // thread is kept from running earlier.
  struct Step {
    enum class Kind : uint8_t { kThread, kForced, kOther };
    Kind kind;
    uint32_t option;  // the thread, for the first two
  };
  // A maximal stretch of steps of one thread.
  struct Turn {
    uint32_t thread;
    uint32_t begin;
    uint32_t end;
  };

  struct State {
    std::vector<Step> best;
    std::vector<Turn> turns;                  // of best
    std::vector<plan::Deviation> deviations;  // of best
    uint32_t stale = 0;                       // of best: accesses
    bool is_weak = false;                     // there may be some
    uint32_t early_timeouts = 0;              // of best
    uint32_t preemptions = 0;                 // of best
    uint32_t at_least = 0;                    // of both, in whatever schedule
    uint32_t switches = 0;                    // of best
    uint64_t budget = 0;                      // executions left
    uint64_t floor = 0;                       // of the budget: what the present phase must leave
    uint64_t search_floor = 0;                // the same for kSearch

    // kReorder.
    std::vector<op::ThreadId> script;
    std::vector<plan::ScriptOption> options;

    Phase phase = Phase::kDrop;
    bool reordered = false;         // kReorder: it was proposed
    bool has_fewest = false;        // best
    bool searched = false;          // kSearch has been entered, for fewer preemptions
    bool searched_without = false;  // ... and for a schedule without early timeouts
    bool searches_without = false;  // it is that now
    bool unfinished = false;        // ... before kMerge was through
    uint32_t length = 0;            // kDrop: of the run to leave out
    uint32_t next = 0;              // kDrop: where it begins; kMerge: turn and Change
    bool merged = false;            // kMerge: something was accepted since the phase began

    std::vector<plan::Deviation> proposal;
    ContextBounded::State search;  // without early timeouts
    BoundedDpor::State fewer;      // with fewer preemptions
  };

  // Fills `state` for the finding shown by `failing`. `at_least`: it is known that fewer
  // preemptions and early timeouts do not suffice, as after a context-bounded search; 0: nothing is
  // known. At most `budget` executions are used.
  static void Start(State* state, const trace::Execution& failing, uint32_t at_least,
                    uint64_t budget, StopToken stop_token = {});

  // After a stop request, do not ask it for a further plan.
  Minimise(State* state, SameFinding& finding, StopToken stop_token = {});

  std::optional<plan::Plan> NextPlan() override;
  void Learn(const trace::Execution& execution) override;

  // Is it known that no schedule of the finding has fewer preemptions and no more early timeouts
  // than the best, or the other way round? Asked at the end.
  bool HasFewest() const;
  // The best schedule: the option of every choice point, in order.
  std::vector<uint32_t> Schedule() const;

 private:
  // What kMerge does with a turn and the next one of the same thread. Left out, a thread comes
  // later by default, or never, if the execution ends before.
  enum Change : uint32_t { kBothEarly, kBothLate, kLeaveOut, kChanges };

  std::optional<plan::Plan> Propose();
  void LeavePhase(bool spent);
  bool ProposeDrop();
  bool ProposeMerge();
  void ProposeOrder(uint32_t first, uint32_t second, Change change);
  void AppendTurn(uint32_t turn, bool more_enabled);
  bool IsBetter(const trace::Execution& execution) const;

  State* const state_;
  SameFinding& finding_;
  const StopToken stop_token_;
};

}  // namespace heddle::explore
