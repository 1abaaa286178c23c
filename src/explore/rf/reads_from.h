// TruSt: explores execution graphs, each once, in linear memory, under sequential consistency, tso
// or c11.
//
// Source: Kokologiannakis, Marmanis, Gladstein, Vafeiadis, "Truly stateless, optimal dynamic
// partial order reduction", POPL 2022. model/trust.h has the algorithm; this is its other half: it
// has the program run. A graph becomes a plan (replay_order.h): the steps that make what the graph
// has, after which the program goes on by itself, loads reading the newest write. What it did then
// is told to Trust, event by event (labels.h).
//
// Operations on objects other than atomic memory are uses of them (model/label.h), each object a
// chain. So operations that commute in the eyes of the other reductions (two posts of a semaphore,
// readers of a read-write lock, failed attempts to lock) are told apart: there are as many graphs
// as orders of them.
//
// Loops that wait: a round that led nowhere (trace::Step::vain) is no part of the graph. Its thread
// looks again whenever somebody writes, so of the loads that it could make the one that leads on
// comes by itself. That a load reads a write which leads nowhere, although a newer one is there, is
// dropped when it shows.
//
// Within a bound on stale accesses, a graph that costs more is dropped before it is run, and with
// it all that comes of it, as that costs no less (model/stale.h).
//
// A branch (branch.h) is a graph with one alternative, which nobody else takes (split.cpp).
//
// Invariant between executions: s_.trust is between two calls of Next.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "explore/explorer.h"
#include "explore/order/vain.h"
#include "explore/rf/replay_order.h"
#include "model/stale.h"
#include "model/trust.h"

namespace heddle::explore {

class ReadsFrom final : public Explorer {
 public:
  struct State {
    std::unique_ptr<model::Trust> trust;                    // null: nothing has run yet
    std::vector<std::vector<model::LocationId>> locations;  // by object and generation
    model::LocationId location_count = 0;
    std::vector<uint8_t> roles;  // by object (NoteRoles)
    // By condition variable, the mutex that waits for it give up, plus one (one_chain.cpp).
    std::vector<uint32_t> given_up;
    bool parted = false;     // others have a part of the search, or the rest of it
    uint64_t ran = 0;        // executions since the search began, or began anew
    uint64_t ran_again = 0;  // and before
    bool begun = false;
    bool exhausted = false;
    bool cut = false;  // the bound left out something
    std::optional<claim::Incomplete> gap;
    rf::Script script;  // of the plan in flight
  };

  // What events do with an object.
  static constexpr uint8_t kAccessed = 1;
  static constexpr uint8_t kUsed = 2;
  static constexpr uint8_t kGivenUpByWait = 4;  // a mutex
  static constexpr uint8_t kAttempted = 8;      // by what fails instead of waiting
  static constexpr uint8_t kAllRoles = kAccessed | kUsed | kGivenUpByWait | kAttempted;

  ReadsFrom(State* state, const Options& options);

  std::optional<plan::Plan> NextPlan() override;
  void Learn(const trace::Execution& execution) override;
  std::optional<Branch> Split() override { return Split(1); }
  std::optional<Branch> SplitLarge(uint64_t least) override { return Split(least); }
  bool Take(const Branch& branch) override;
  bool Complete() const override { return s_.exhausted && !s_.gap && !s_.cut; }
  int64_t CurrentBound() const override { return IsBounded() ? int64_t{most_stale_} : -1; }
  int64_t CompletedBound() const override { return s_.exhausted ? CurrentBound() : -1; }
  // Graphs.
  uint64_t Nodes() const override { return s_.trust != nullptr ? s_.trust->Graphs() : 0; }
  uint64_t RanAgain() const override { return s_.ran_again; }
  uint64_t PeakNodes() const override {
    return s_.trust != nullptr ? s_.trust->Count().most_graphs : 0;
  }
  std::optional<claim::Incomplete> Gap() const override { return s_.gap; }

 private:
  bool IsBounded() const { return most_stale_ != kUnbounded; }
  bool MakeScript();
  std::optional<Branch> Split(uint64_t least);
  model::LocationId LocationOf(uint32_t object, uint32_t generation);
  uint32_t OptionsOf(const trace::Execution& execution, size_t event);
  bool ComeAfterWaker(const trace::Event& event);
  bool MakeEvents(const trace::Execution& execution, size_t event, bool begins);
  bool HasAccess(const trace::Execution& execution, size_t event);
  void BeginToExtend(const trace::Execution& execution);
  bool Extend(const trace::Execution& execution);
  bool MakeEvent(op::ThreadId thread, const model::Label& label, bool sees, uint64_t found);
  void NoteLetGo(const trace::LetGo& let_go);
  static uint8_t RolesOf(const model::Label& label, op::Kind kind, bool second);
  void NoteRoles(uint32_t object, uint8_t roles);
  bool ExtendAnew(const trace::Execution& execution);
  // one_chain.cpp; objects as labels name them
  static constexpr uint32_t kNoMutex = UINT32_MAX;
  void BeginAnew();
  bool HasConditions(uint32_t mutex) const;
  void NoteWait(uint32_t condition, uint32_t mutex);
  uint32_t ChainOf(uint32_t condition) const;
  void PutInOneChain(const trace::Event& made);
  void Forget();
  void MeetLocation(model::Label& label, bool sees, uint64_t found);
  static model::Label WaitsFor(const trace::Execution& execution, op::ThreadId thread);
  void TellBlocked(op::ThreadId thread, model::Label use);
  void TellWaitingLoop(const trace::Execution& whole, op::ThreadId thread);
  void TellWhoWaits(const trace::Execution& whole, const trace::Execution& execution);
  const model::ExecutionGraph& Graph() const { return s_.trust->Graph(); }

  State& s_;
  const bool reads_stale_;
  const uint32_t most_stale_;
  model::StaleAccesses stale_;
  const std::unique_ptr<model::Consistency> model_;
  WithoutVain without_vain_;
  // Of the execution that is looked at.
  std::vector<uint32_t> made_;             // by thread: events of its that were met
  std::vector<uint32_t> generation_;       // by object
  std::vector<model::EventId> of_event_;   // by event of the execution that lets somebody go
  std::vector<model::EventId> let_go_by_;  // by thread
  std::vector<model::EventId> last_use_;   // by object
  std::vector<uint8_t> held_;              // by mutex with conditions
  bool begins_anew_ = false;
  size_t choice_ = 0;         // the next that is looked at
  bool has_options_ = false;  // it makes choices of other kinds than threads, memory
  model::EventId newest_ = model::kNoEvent;
  std::vector<model::Label> labels_;
};

}  // namespace heddle::explore
