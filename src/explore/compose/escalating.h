// Several searches in turn, one budget: the one that proves, and beside it those that find other
// kinds of bugs sooner. It is over when one of them has shown that there is nothing else.
//
// No single order wins: what changes the end of an execution first finds bugs near the end, context
// bounding those that need few preemptions, a random walk those that need many
// (docs/algorithms/escalating.md has the measurements). Whoever takes turns among k searches finds
// a bug within k times what the best of them needs, whichever that is, and needs not know.
//
// A turn is one execution. The first few of each search come one after another, because most bugs
// that are found at all are found soon, by whom nobody knows. Then the turn goes to the search that
// has had the least of its share, counted in operations run: 4 in 10 for the prover, and 1 in 10
// for each of the others. A search that is through gives its share to the others. Once it can be
// told that the prover will come to its end (proven_share.h), the others rest when they have had a
// small part of what that is estimated to take, so that a proof takes little longer than by itself.
//
//   prover       the search that the options ask for, depth first or by bound
//   samples      schedules drawn for ever: by what reads read from (sample/rff.h), by a toss at
//                each choice, and so that all orders on one object are alike (sample/surw.h)
//   bounds       context bounding: first without preemptions, then with one ... : says how many any
//                bug that is left needs, if nothing is proved
//   best first   what races ask for, few preemptions first (best/)
//   random       the branches of the reduction in a random order
//   first steps  the first few executions of context bounding without a reduction
//
// Within a bound there are the prover and best first.
//
// Executions are counted that more than one search ran: their number is no number of schedules.
#pragma once

#include <memory>
#include <vector>

#include "explore/explorer.h"
#include "explore/proven_share.h"
#include "explore/spill.h"

namespace heddle::explore {

class Escalating final : public Explorer {
 public:
  struct Part {
    space::Point point;
    uint32_t share;
    uint64_t most_turns;  // then it is over
    void* state;          // of the explorer at the point
    uint64_t turns = 0;
    uint64_t work = 0;  // of later turns: operations run, and some for each execution
    bool over = false;  // nothing is left, or not within what it was asked for
    uint32_t anew = 0;  // times that it began anew, with another seed
  };
  struct State {
    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State();

    std::vector<Part> parts;  // the prover is the first
    uint32_t turn = 0;        // whose plan is in flight
    bool exhausted = false;
    uint32_t proved_by = 0;
    bool took = false;  // a branch: what is not the prover's has no end
    // Of those that had other branches, and of what came to its end without taking one.
    struct Earlier {
      bool incomplete = false;
      std::optional<claim::Incomplete> gap;
      int64_t completed_bound = -1;
      uint64_t ran_again = 0;
      uint64_t peak_nodes = 0;
    };
    Earlier earlier;
    ProvenShare proven;
    uint64_t work = 0;            // of all, the first turns included
    uint64_t work_of_prover = 0;  // of that
    bool prover_alone = false;    // the others have had what they get for now
  };

  Escalating(State* state, const Options& options, Spill* spill = nullptr);
  ~Escalating() override;

  std::optional<plan::Plan> NextPlan() override;
  void Learn(const trace::Execution& execution) override;
  int64_t CurrentBound() const override;
  // The prover's branches: whoever takes one has searches beside it that draw schedules.
  std::optional<Branch> Split() override;
  std::optional<Branch> SplitLarge(uint64_t least) override;
  bool Take(const Branch& branch) override;
  // What draws goes on where it was, and so does what is known of how much is proven.
  bool TakesMore() const override { return true; }
  int64_t CompletedBound() const override;
  int64_t CompletedBoundAlone() const override;
  bool ProvesAll() const override { return s_.exhausted && s_.proved_by != 0; }
  bool Complete() const override;
  uint64_t RanAgain() const override;
  uint64_t Nodes() const override;
  uint64_t PeakNodes() const override;
  std::optional<claim::Incomplete> Gap() const override;
  std::optional<space::Point> FoundBy() const override;

 private:
  class PartSpill;

  std::unique_ptr<Explorer> AttachPart(size_t part) const;
  void KeepNumbers();
  void FreePart(size_t part);
  void EndOthers();
  void BeginAnewIfFull(size_t part);
  Part* Next();
  bool OthersRest();
  uint64_t WorkForOthers() const;
  void NoteRun(const trace::Execution& execution);

  State& s_;
  const Options options_;
  std::vector<std::unique_ptr<PartSpill>> spills_;  // by part
  std::vector<std::unique_ptr<Explorer>> explorers_;
};

}  // namespace heddle::explore
