// Optimal DPOR: exactly one complete execution for every Mazurkiewicz trace, and none that is cut
// short, as long as no thread ends an execution that others could have gone on with.
//
// Source: Abdulla, Aronis, Jonsson, Sagonas, "Source sets: a foundation for optimal dynamic partial
// order reduction", JACM 64(4), 2017, Algorithm 2 (docs/algorithms/dpor_rules.md, O1 .. O7). A race
// of steps j < i is reversed by running, from the state before j, everything that does not happen
// after j, and then i's operation: the sequence v. It is inserted into the wakeup tree of that
// state unless some step that was explored there, or sleeps there, could begin it, or some leaf of
// the tree is compatible with it: then it is explored anyway. So no sequence that is run is ever
// blocked by the sleep set, and at its end nothing sleeps any more.
//
// Our differences:
//   * What is *compared* is v; what is *inserted* is its least part that contains i's operation and
//     still wakes all that sleeps. The other steps of v are made, or asked for, by the execution
//     that runs the part; storing them is what makes wakeup trees grow with the number of traces
//     (parsimonious optimal DPOR, CAV'24, stores none). In fsbench all wakeup
//     sequences are of one or two steps, and there are no more than there are races.
//   * v is never built: whether a step is in it, comes first in it, or depends on it is read off
//     vector clocks and the chains of accesses.
//   * At the end of a sequence everything is taken to be awake. That is so by construction, but for
//     operations of which the table cannot tell what they will be in another order (a futex wake);
//     then a trace may be run twice. With something asleep there, some would be lost.
//   * Races are looked at when their later step is new, not again for every execution that shares
//     it. Those that some sleeping step could begin, for all that is known yet, are put off and
//     looked at again when the execution continues otherwise (Answer::kBlocked).
#pragma once

#include "explore/por/reduction.h"
#include "explore/por/sequence.h"

namespace heddle::explore {

class OptimalDpor final : public Reduction {
 public:
  using Reduction::Reduction;

 private:
  Answer Consider(const Reversal& reversal) override;
  bool SequencesWakeAll() const override { return true; }

  // A state where a branch can be added: the one before step j, one of an execution that was left,
  // or one within a tree, to which no execution has come yet.
  struct Where {
    Id reached;
    ParkedNode* place;  // of an execution that was left; else null
  };

  void WakeAsleep(const Label& label);
  bool Insert(const Sequence& v, const Where& where);
  void Include(const Sequence& v, Clock clock);
  bool Wakes(const Sequence& v, const Label& label) const;
  bool EndedBefore(const Reversal& reversal) const;

  // Scratch.
  std::vector<const Label*> asleep_;
  std::vector<const Label*> begun_;
  std::vector<StepIndex> taken_;
  std::vector<StepIndex> need_;  // by thread: up to where v is needed
  std::vector<StepIndex> sequence_;
  uint64_t signature_ = 0;  // of the path down the tree
};

}  // namespace heddle::explore
