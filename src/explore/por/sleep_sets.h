// Sleep sets alone (Godefroid, 1996): every enabled thread is explored from every state, but not
// one whose next step was explored from there before, or earlier, with nothing dependent since.
// Every Mazurkiewicz trace is run to its end once; most executions that are begun are cut short.
#pragma once

#include "explore/por/thread_sets.h"

namespace heddle::explore {

class SleepSets final : public ThreadSets {
 public:
  using ThreadSets::ThreadSets;

 private:
  Answer Consider(const Reversal& reversal) override {
    AddOption(reversal);
    return Answer::kSettled;
  }
  bool RunsAll() const override { return true; }
  void Enter(StepIndex node) override {
    // The end of the program commutes with all but other ends, and nothing can follow it: it is
    // enough that it comes when the others have come to rest.
    const bool at_end = s_.graph.IsEnding(node) || s_.graph.EndsProgram(node);
    for (op::ThreadId thread = 0; thread < s_.graph.Threads(); ++thread) {
      if (OpenAt(node).Has(thread) && (at_end || !StandsBeforeEnd(node, thread))) {
        Add(node, thread);
      }
    }
  }
};

}  // namespace heddle::explore
