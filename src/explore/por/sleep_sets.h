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
  void Enter(const trace::Execution&, StepIndex node) override { AddAllOpen(node); }
};

}  // namespace heddle::explore
