// One search in several processes of the program (docs/algorithms/parallel.md). The explorer here
// parts with branches when the supervisor wishes for some, and the supervisor brings them to a
// process that has nothing left.
//
//   supervisor            wished = k                          brought = k        finish
//   process        searches ... parts with k ... searches ... idle ... takes ... idle ... summary
//
// All of it happens between two executions, where the program does not run. What is to be explored
// here is in shared memory at every moment: in the explorer's State, or in State::waiting. A branch
// leaves it when it is in the file, and before the supervisor is told; so if the program kills its
// process, the next one goes on without losing one or having one twice.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "channel/channel.h"
#include "claim/incomplete.h"
#include "explore/compose/registry.h"
#include "explore/coverage.h"
#include "explore/explorer.h"

namespace heddle::search {

// Who else explores parts of the search of this process.
explore::Peers PeersOf(const channel::Header& header);

class Sharing {
 public:
  // Outlives the process.
  struct State {
    std::vector<std::vector<uint8_t>> waiting;  // branches that were brought, and are not begun yet
    bool nothing_own = false;                   // the present explorer has not been given anything
    uint32_t raised = 0;  // bounds, with the others (channel::Sharing::raises)
    // Of the explorers before the present one.
    uint64_t ran_again = 0;
    uint64_t peak_nodes = 0;
    uint32_t most_choices = 0;
    int64_t completed_bound = -1;
    bool complete = true;
    std::optional<claim::Incomplete> gap;  // the first of theirs
  };

  explicit Sharing(State* state);

  bool IsOn() const { return header_.sharing.on != 0; }
  // One load: it is asked before every execution.
  bool PartIsWished() const { return header_.sharing.wished.load(std::memory_order_relaxed) != 0; }
  // Parts with as many branches as are wished for, or as there are. REQUIRES: between Learn and
  // NextPlan.
  void Part(explore::Explorer& explorer);

  // The explorer has nothing left. Waits until there is a branch to go on with, or the next bound
  // (nothing), or the search is to end.
  std::optional<channel::Stop> AwaitBranch(explore::Explorer& explorer);
  // If there is a branch, gives it to `explorer`, or puts a new one in its place. REQUIRES:
  // AwaitBranch has answered nothing.
  void TakeNext(const explore::Entry& entry, void*& explorer);
  // Does what is said of the present bound, and of those before, hold for all that search together?
  bool KnowsBounds() const {
    return header_.sharing.shared == 0 ||
           (header_.sharing.in_step.load() != 0 && header_.sharing.unsure.load() == 0);
  }
  // More became visible: waits until this process is the only one that searches.
  void AwaitAlone();

  // The present explorer and those before, together.
  uint64_t RanAgain(const explore::Explorer& present) const;
  uint64_t PeakNodes(const explore::Explorer& present) const;
  uint32_t MostChoices(const explore::Explorer& present) const;
  int64_t CompletedBound(const explore::Explorer& present) const;
  bool Complete(const explore::Explorer& present) const;
  std::optional<claim::Incomplete> Gap(const explore::Explorer& present) const;

  // Leaves the graphs that were seen for the supervisor.
  static void WriteGraphs(const explore::Coverage::State& coverage);

 private:
  uint64_t WorthHandingOver() const;
  void TakeIn();
  bool RaiseBound(explore::Explorer& explorer);
  void KeepNumbers(const explore::Explorer& present);

  State& s_;
  channel::Header& header_;
  // When it was made, and how many executions there had been.
  const uint64_t began_ns_;
  const uint64_t began_executions_;
};

}  // namespace heddle::search
