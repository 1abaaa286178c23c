// Search with partial-order reduction: what all reductions share.
// docs/algorithms/dpor_rules.md has the rules R1 .. R18, dpor_extensions.md R19 .. R27.
//
// The execution in flight is a sequence of steps (step_graph.h). Before every step is a node, the
// state before it, with three sets: the steps that were run from there (done), those that need not
// be (sleep), and what is still to be run (tree: a wakeup tree, or, for reductions that only know
// the next thread, a list). The walk (walk.h) says from which node the search goes on. Depth first
// it is the deepest one of the execution in flight that has something in its tree; the steps up to
// it are replayed by name. In other orders it may lie in an execution that was left before: what
// was still to be run there was kept in the execution tree (places.cpp).
//
// Each reduction decides in Consider() whether the reversal of a race needs a new child.
//
// dpor.md follows two examples of two threads through the rules.
//
// Invariants between NextPlan and Learn: nodes 0 .. k stand for the states before steps 0 .. k;
// the sleep set of a node holds, by reference, the done steps of nodes above that commute with all
// steps between; a node's tree holds nothing that begins with a step asleep or done there. What
// sleeps follows the order in which siblings were begun with, not in which they were finished.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "explore/best/priority.h"
#include "explore/best/walk.h"
#include "explore/explorer.h"
#include "explore/order/step_label.h"
#include "explore/por/reversal.h"
#include "explore/por/wakeup_tree.h"
#include "explore/spill.h"

namespace heddle::explore {

class Reduction : public Explorer, private Branches {
 public:
  using Id = WakeupTrees::Id;
  // As Label::away: the step was made by default, so it goes on in the execution of the node by
  // which the state was reached.
  static constexpr Id kItself = 0xffffffffu;

  struct Node {
    uint32_t sleep;  // begin of its sleep set in `sleepers`; up to the next node's
    uint32_t done;   // begin in `done` of the steps that were run from it; likewise
    Id reached = ExecutionTree::kRoot;  // the last node of the tree on the way to it
    Id tree = WakeupTrees::kNone;
    uint32_t open = 0;  // begin of the set of threads open there, in `open_sets`
    uint32_t open_words = 0;
    uint32_t stale = 0;  // begin in `stale` of what R18 follows; up to the next node's
    bool cut = false;    // the execution was cut short: the step taken from it covers nothing
    bool ends = false;  // the step taken from it ended the execution, and others could have gone on
  };
  // A reversal that need not be run as the execution in flight continues, but may have to be if it
  // continues otherwise ("Deferred reversals" in dpor_rules.md).
  struct Deferred {
    Reversal reversal;
    std::vector<uint32_t> clock;
  };
  // An option that a step from `node` did not take.
  struct Alternative {
    StepIndex node;
    Label label;
  };
  // A wakeup sequence from `node` whose last step turned out to be vain.
  struct VainPath {
    StepIndex node;
    uint64_t signature;
  };
  // A step that was run from `node` after the one in flight, which the walk has come back to.
  struct LaterSibling {
    StepIndex node;
    Label label;
  };
  // A node of an execution that was left: from there, or beyond, something is still to be run, or a
  // step of it may sleep in what is.
  struct ParkedNode {
    StepIndex node;
    std::vector<Label> done;
    Id tree = WakeupTrees::kNone;
    std::vector<uint64_t> vain_paths;
    std::vector<Label> alternatives;  // to the steps in `done`, each once
    bool closed = false;
  };
  struct State {
    StepGraph graph;
    WakeupTrees trees;
    std::vector<Node> nodes;
    std::vector<uint32_t> sleepers;  // indices into `done`
    std::vector<uint32_t> stale;     // likewise
    std::vector<Label> done;
    std::vector<uint64_t> open_sets;
    // For a ranked walk: of those, the threads that would cost one more; and by node, what the
    // steps before it cost.
    std::vector<uint64_t> costly_sets;
    std::vector<uint32_t> costs;
    std::vector<uint8_t> focus_at_end;  // by thread: of what it stood before to the last
    std::vector<Deferred> deferred;
    std::vector<VainPath> vain_paths;               // of nodes that stand
    std::vector<Alternative> alternatives;          // likewise
    std::vector<Id> path = {ExecutionTree::kRoot};  // the nodes of the tree in flight
    std::vector<LaterSibling> later_siblings;       // in the order of the nodes
    // What is kept of executions that were left: by the node of the tree by which they were begun,
    // the places, the last first.
    std::unordered_map<Id, std::vector<ParkedNode>> left;
    uint64_t away = 0;  // how many labels are away (Label::away)
    Walk::State walk;
    // The plan in flight.
    std::vector<op::ThreadId> script;
    std::vector<plan::ScriptOption> options;
    std::vector<plan::Sleeper> asleep;
    StepIndex closed = 0;           // nodes below are closed (split.cpp)
    StepIndex root = kNoStep;       // the node of the branch that was taken
    StepIndex wakes_all = kNoStep;  // the last step of a sequence that does
    StepIndex back_to = kNoStep;    // the node that the search went back to
    uint64_t signature = 0;         // of the sequence run from there
    bool covers_more = false;       // its sequence stands for others that were left out
    uint64_t executions = 0;        // to an end
    uint64_t ran_again = 0;         // of those: explored before
    std::vector<bool> before_end;   // threads that stood before the end of the program to the last
    bool met_section = false;       // a step was more than one operation, or could have been
    bool beyond = false;            // met, what R27 does not cover, while others may have a part
    bool alone = false;             // parts with nothing
    bool gave_up = false;           // could not come back to a node (TakeUpSteps)
    bool started = false;
    bool exhausted = false;
  };

  Reduction(State* state, const Options& options, Spill* spill = nullptr);

  std::optional<plan::Plan> NextPlan() override;
  void Learn(const trace::Execution& execution) override;
  bool Complete() const override { return s_.exhausted && !s_.trees.Lost(); }
  std::optional<claim::Incomplete> Gap() const override;
  uint64_t RanAgain() const override { return s_.ran_again; }
  uint64_t Nodes() const override { return s_.trees.Size(); }
  uint64_t PeakNodes() const override { return s_.trees.Peak(); }
  std::optional<Branch> Split() override;
  bool Take(const Branch& branch) override;
  bool BeginsAgain() const override { return s_.beyond; }
  void RestartWithoutSplitting() override { s_.alone = true; }

 protected:
  // The search is to end: what is answered matters to nobody any more (explore/stop_token.h).
  bool StopRequested() const { return stop_token_.IsRequested(); }
  enum class Answer {
    kSettled,
    kBlocked,  // a sleeping step begins it now, but may not if the execution continues otherwise
    kAsLong,   // what is in the tree has v now, but may not if the execution continues otherwise
  };

  // Makes sure that an execution with the reversal is run. Unless the answer is kSettled, it is
  // asked again whenever the execution has continued otherwise.
  virtual Answer Consider(const Reversal& reversal) = 0;
  // Does nothing sleep after a wakeup sequence?
  virtual bool SequencesWakeAll() const { return false; }
  // Are all open threads explored from every node?
  virtual bool RunsAll() const { return false; }
  // Is nothing left out because of a step that was run, but what begins with it at the same node?
  virtual bool NothingSleeps() const { return false; }
  // A step of a new execution was taken up: node i is complete.
  virtual void Enter(const trace::Execution&, StepIndex) {}
  // The same, before that, and of closed nodes, too.
  virtual void Meet(const trace::Execution&, StepIndex) {}
  // May a step of the thread, which is open there, be run from the node?
  virtual bool IsWithin(StepIndex, op::ThreadId) { return true; }

  // Names a sequence of steps from one node: `hash`, so far, and one more.
  static uint64_t Sign(uint64_t hash, const Label& label);
  // Is a sequence from `node` known to end with a vain step?
  bool EndsInVain(StepIndex node, uint64_t signature) const;

  // In the execution in flight: is the next step that `thread` makes from `node` on an end of the
  // program?
  bool StandsBeforeEnd(StepIndex node, op::ThreadId thread) const;
  std::span<const uint32_t> SleepAt(StepIndex node) const;  // indices into State::done
  std::span<const Label> DoneAt(StepIndex node) const;
  std::span<LaterSibling> LaterSiblingsAt(StepIndex node) const;
  // Does `holds(label)` for a step that was run from the node, the one in flight left out?
  template <typename Holds>
  bool AnyBegun(StepIndex node, const Holds& holds) const {
    return std::ranges::any_of(DoneAt(node), holds) ||
           std::ranges::any_of(LaterSiblingsAt(node), holds, &LaterSibling::label);
  }
  // The same for the steps with which something begins that is to be run from it.
  template <typename Holds>
  bool AnyNext(StepIndex node, const Holds& holds) const {
    Id id = s_.nodes[node].tree;
    while (id != WakeupTrees::kNone && !holds(s_.trees.LabelOf(id))) id = s_.trees.Next(id);
    return id != WakeupTrees::kNone;
  }
  // `label` was run as a step of a wakeup sequence, and was left before all that follows was
  // explored: the next state within that sequence, where branches can still be added. Null if there
  // is none: then everything that begins with the label is, or will be, explored.
  ParkedNode* Within(const Label& label);
  bool SleepsOn(uint32_t done) const;
  // All that is open at the node is explored, by somebody (split.cpp).
  bool IsClosed(StepIndex node) const { return node < s_.closed; }
  // Adds a last (first) branch to what is to be run from a node in flight, or from a place that was
  // reached by `reached`.
  Id AppendAt(StepIndex node, const Label& label, Asked asked = Asked::kPrecisely);
  Id PrependAt(StepIndex node, const Label& label);
  Id AppendAt(Id reached, ParkedNode& place, const Label& label);
  // Adds a branch within a tree, which goes out from a state after `node`.
  Id AppendChild(Id parent, StepIndex node, const Label& label);
  // The threads that could have run at `node`, as a set.
  op::ThreadSet OpenAt(StepIndex node) const;
  // Has the thread been chosen at the node, now or earlier, or is it to be, or does it sleep there?
  bool IsTaken(StepIndex node, op::ThreadId thread) const;
  // Is the step of the thread with just these options asleep there?
  bool Sleeps(StepIndex node, const Label& option) const;
  // Adds a thread that is not taken to what is to be explored from the node.
  void Add(StepIndex node, op::ThreadId thread, bool tentative = false,
           Asked asked = Asked::kPrecisely);
  // Adds all threads that are open there. To be called for every step that is made from it.
  void AddAllOpen(StepIndex node);
  // Is the reversal another option of step j itself? Then it is added, to be explored next: all
  // options of a thread are explored before another thread, so they sleep together.
  bool AddOption(const Reversal& reversal);

  State& s_;
  std::vector<op::ThreadId> woken_;  // scratch: an option of theirs sleeps no more

 private:
  bool GoToNext();
  bool GoToDeepest();
  void GoTo(Id branch);
  void GoOn(Id away);
  void Leave(StepIndex node);
  bool LeaveLast(bool beyond);
  void DropLast();
  void FinishStep(StepIndex node, bool beyond);
  void KeepPlace(StepIndex node);
  void CloseBegun(StepIndex node);
  bool HasOpen(Id id) const;
  void Forget(Id id);
  void GiveUp(const Label& label, Id reached);
  void GiveUpBeyond(size_t count);
  bool IsOpen(Id branch) const override;
  bool SomethingAway(StepIndex node) const;
  bool SomethingAwayAbove(StepIndex node) const;
  bool SleepsAway(StepIndex node) const;
  void AddToScript(op::ThreadId thread, std::span<const plan::ScriptOption> options);
  void DropLaterSiblings(StepIndex k);
  Id AppendTo(Id& tree, Id reached, StepIndex node, const Label& label, Asked asked);
  void OpenPlace(Id eldest);
  void KeepCosts(const trace::Execution& execution, StepIndex i);
  Focus FocusAfter(StepIndex node, op::ThreadId thread) const;
  void Rank(Id branch, StepIndex node, const Label& label, Asked asked);
  bool EnterPath();
  void FallAsleep(StepIndex node, op::ThreadId next);
  template <typename Step>
  void Descend(StepIndex node, const Step& depends, Id tree);
  void DescendBy(StepIndex node, const Label& step, Id tree);
  bool IsAwake(StepIndex node, const Label& label) const;
  void NoteVainScript(const trace::Execution& complete);
  void TakeUpSteps(const trace::Execution& execution);
  bool IsBeyond(const trace::Execution& execution) const;
  void NoteEnds(const trace::Execution& execution);
  void KeepOpenSet(const trace::Execution& execution, StepIndex i);
  void FollowStale(bool counts);
  void ReverseRaces(StepIndex i);
  void AskFor(const StepGraph::Race& race, Clock base, StepIndex end, StepIndex since);
  void JoinFree(const Reversal& reversal, StepIndex end);
  void JoinPredecessors(const Reversal& reversal, StepIndex end, uint32_t passed_over);
  void ReverseOptions(const trace::Execution& execution, StepIndex i);
  void ReverseTimeouts();
  void ReverseFences();
  void ReverseEnd(const trace::Execution& execution);
  void GoOnWithoutEnd(const trace::Execution& execution);
  bool GoesOnAlready(StepIndex end) const;
  op::ThreadId WhoCouldGoOn(StepIndex end, bool to_end) const;
  void ReverseAttempt(const trace::Pending& pending, op::ThreadId thread, Clock base,
                      StepIndex before, StepIndex since);
  void ReversePending(const trace::Execution& execution, op::ThreadId thread);
  Answer Decide(const Reversal& reversal);
  void Ask(const Reversal& reversal);
  void AskAgain(size_t count);

  bool IsLastClosed(StepIndex node) const { return node + 1 == s_.closed; }
  // What is to be run from nodes before this one is somebody else's.
  StepIndex FirstOwn() const { return s_.closed == 0 ? 0 : s_.closed - 1; }
  void Close(StepIndex node);
  void NoteParted(StepIndex node, const std::vector<Label>& parted);
  bool SleepsSince(StepIndex node, const Alternative& other) const;

  // What a branch that was left takes with what sleeps there; measured with four threads.
  static constexpr uint64_t kBytesPerBranch = 1024;

  const bool in_any_order_;
  const bool sleeps_on_;  // whatever sleeps is somebody else's, or may come to be (R27)
  const uint64_t memory_limit_;
  const StopToken stop_token_;
  std::unique_ptr<Walk> walk_;

  // Scratch.
  WithoutVain without_vain_;
  std::vector<Id> way_;
  Reversal reversal_;
  std::vector<StepGraph::Race> races_;
  std::vector<uint32_t> clock_;
};

}  // namespace heddle::explore
