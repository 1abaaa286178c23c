// Context-bounded search with partial-order reduction: of all executions whose happens-before graph
// can be reached with at most c preemptions, one for each graph.
//
// Source: Musuvathi and Qadeer, "Partial-order reduction for context-bounded state exploration",
// MSR-TR-2007-12. A state is the happens-before graph of what was done so far. Algorithm 2 keeps in
// a hashtable H the states from which no terminal state within the bound can be reached that was
// not visited; Mark, called at every terminal state, goes back through its prefixes and adds those
// of which all steps within the bound lead into H. Algorithm 1 has in H whatever was visited.
// Numbers in comments of cb_por.cpp are lines of the two algorithms. docs/algorithms/cb_por.md
// explains.
//
// Our differences:
//   * Whether next(s, t) is in H is kept where the step begins, as a bit of the entry of s, set for
//     all predecessors of a state that enters H. So no state need be known before it was reached.
//   * A state that is in H because everything that can follow was visited, and not because a bound
//     left something out, stays there when the bound rises (`forever`). So the table is kept from
//     one bound to the next, and no execution is run twice.
//   * A step may have several outcomes (heddle_choose, which waiter is woken): they are explored
//     like the steps of different threads, and the step leads into H when all of them do.
//   * Beyond the point where the plan leads the execution elsewhere, the program's process asks for
//     each choice whether the default leads into H (plan/steering.h). Where all that could be taken
//     instead is not known to be within the bound, the execution is cut short and planned anew.
//   * What the program waits for in a loop, descriptors and the like are not known from the graph:
//     Prefixes says so, and then states are done with when they were visited, and not earlier.
//   * Several searches may explore one space, with one table (cb_por_shared.cpp).
//
// Invariant between NextPlan and Learn: nodes 1 .. k are the states before the steps 1 .. k of the
// execution in flight; what was left before node k is in H, or others are at it.
#pragma once

#include <cstdint>
#include <vector>

#include "explore/explorer.h"
#include "explore/hb/context_bounds.h"
#include "explore/hb/prefixes.h"
#include "explore/hb/state_table.h"
#include "explore/order/vain.h"
#include "explore/spill.h"

namespace heddle::explore {

class CbPor : public Explorer {
 public:
  struct Node {
    uint64_t hash = 0;
    ThreadBits open = 0;  // threads that could go on, by their time limit or otherwise
    uint32_t born = 0;    // State::learnt
  };
  struct State {
    Prefixes prefixes;
    StateTable table;
    std::vector<Node> nodes;  // node 0 is nobody's: the beginning belongs to no thread
    // Of several searches: this one explores what comes after the step from node `base` with its
    // first `base_options` options; others what comes after other steps from there and before.
    StepIndex base = 0;
    uint32_t base_options = 0;
    StepIndex all_begun = 0;  // nodes below have nothing to part with
    StepIndex told = 0;       // nodes up to this one are known to who comes from elsewhere
    uint32_t learnt = 0;      // executions
    std::vector<op::ThreadId> script;
    std::vector<plan::ScriptOption> options;
    // Options that were taken one after the other in the step that is being made.
    struct Trail {
      uint64_t graph = 0;
      op::ThreadId thread = op::kNoThread;
      uint64_t key = 0;
    } trail;
    // Where an execution ended because nobody else could go on.
    struct Away {
      uint64_t graph = 0;
      op::ThreadId only = op::kNoThread;
    } away;
    uint32_t bound = 0;
    uint64_t ran_again = 0;
    bool cut = false;       // the bound left out something, so far in the search with it
    bool wide = false;      // more threads, or options of a step, than a word has bits
    bool mistaken = false;  // a thread could go on that Prefixes took to be unable to
    bool full = false;      // as many states as there is room for
    bool sections = false;  // a step was more than one operation, or could have been
    bool exhausted = false;
    bool started = false;
    bool is_first = false;  // it began at the beginning
    bool ready = false;     // script and options say what comes next
    bool taken = false;     // ... which is the first execution of a branch
    bool ended = false;     // all have nothing left

    bool IsBounded() const { return bound <= ContextBounds::kMostBound; }
    uint8_t Epoch() const { return static_cast<uint8_t>(bound); }
    // What the table has of a state, or of options (steering.h), with the present bound.
    StateEntry EntryOf(uint64_t key) const {
      StateEntry entry = table.Get(key);
      entry.BeginEpoch(Epoch());
      return entry;
    }
    template <typename Change>
    auto Edit(uint64_t key, const Change& change) {
      return table.Edit(key, [&](StateEntry& entry) {
        entry.BeginEpoch(Epoch());
        return change(entry);
      });
    }
  };

  // `every_state`: Algorithm 1.
  CbPor(State* state, const Options& options, Spill* spill, bool every_state);

  std::optional<plan::Plan> NextPlan() override;
  void Learn(const trace::Execution& execution) override;
  std::optional<Branch> Split() override;
  bool Take(const Branch& branch) override;
  bool TakesMore() const override { return IsShared(); }
  bool AwaitsBound() const override;
  bool RaiseBound() override;
  void EndTogether() override;
  int64_t CompletedBoundAlone() const override { return s_.ended ? CompletedBound() : -1; }
  int64_t CurrentBound() const override;
  int64_t CompletedBound() const override;
  bool Complete() const override;
  uint64_t RanAgain() const override { return s_.ran_again; }
  // States in the table. One that is shared counts once.
  uint64_t Nodes() const override { return IsShared() && !s_.is_first ? 0 : s_.table.Size(); }
  uint64_t PeakNodes() const override { return Nodes(); }
  std::optional<claim::Incomplete> Gap() const override;

 private:
  struct Marked {
    Prefix state;
    bool forever;
  };
  struct OpenOption {
    size_t choice;  // of those of its step
    uint32_t option;
  };

  // Where everything that follows a state is known whatever the bound, so may be what follows
  // states beyond the bound, of which there are many. So many are looked at for an execution; one
  // that is not may lead to another run of that execution when the bound has risen.
  static constexpr uint32_t kMostAhead = 20000;

  // cb_por.cpp: what to run next, and what was learnt.
  void Begin();
  plan::Plan PlanOf();
  bool FindNext();
  bool TakeFirst();
  bool TakeOption(StepIndex k);
  bool TakeThread(StepIndex k, const Prefix& state);
  std::optional<OpenOption> OptionLeft(StepIndex k);
  std::optional<op::ThreadId> ThreadLeft(StepIndex k, const Prefix& state, bool* cut);
  void WriteWay(StepIndex k, op::ThreadId thread);
  void WriteOption(StepIndex k, const OpenOption& open);
  void CutBack(StepIndex k);
  bool HasNextBound() const;
  void GoToNextBound();
  void TakeUpEnd(const trace::Execution& execution);
  void TakeUpNodes(const trace::Execution& execution, StepIndex first, bool cut_short);
  void NoteMistakes(const Prefix& state, ThreadBits open);
  void NoteVainScript(const trace::Execution& complete);
  ThreadBits OpenAt(const trace::Execution& execution, StepIndex i, uint64_t graph);
  bool IsCut() const;
  bool IsDoneForEver() const;

  // cb_por_table.cpp: the table H.
  bool IsInTable(uint64_t hash, bool forever) const;
  std::optional<StateEntry> CloseStep(uint64_t graph, StepIndex i, bool forever);
  StateEntry Close(uint64_t key, uint32_t member, bool forever);
  void Mark(const Prefix& state, bool forever);
  static bool PutIn(StateEntry& entry, bool* forever);
  void MarkBefore(const Prefix& state, bool forever);
  bool IsWithin(const Prefix& state, StepIndex i);
  bool Visit(const Prefix& state);
  bool IsDone(const Prefix& state, const StateEntry& entry, bool within, bool* forever);

  // cb_por_shared.cpp: several searches.
  bool IsShared() const { return s_.table.IsShared(); }
  bool BeginMember(uint64_t key, uint32_t member);
  void BeginStep(uint64_t graph, StepIndex i);
  void BeginAllTo(Prefix& state);
  void TellOld();
  bool Enter(const Prefix& state);
  void Leave(const Prefix& state, const Node& node);
  Branch BranchOf(StepIndex k, op::ThreadId thread);
  void NoteBaseOptions();

  State& s_;
  const uint32_t most_;
  const bool iterates_;
  const bool every_state_;
  const StopToken stop_token_;
  const BoundGate gate_;

  // Scratch.
  WithoutVain without_vain_;
};

class HappensBefore final : public CbPor {
 public:
  HappensBefore(State* state, const Options& options, Spill* spill = nullptr)
      : CbPor(state, options, spill, false) {}
};

class HappensBeforeAll final : public CbPor {
 public:
  HappensBeforeAll(State* state, const Options& options, Spill* spill = nullptr)
      : CbPor(state, options, spill, true) {}
};

}  // namespace heddle::explore
