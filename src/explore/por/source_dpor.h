// DPOR with source sets: from every state, for every execution that is possible from there, some
// thread is explored that could begin it.
//
// Source: Abdulla, Aronis, Jonsson, Sagonas, JACM 64(4), 2017, Algorithm 1
// (docs/algorithms/dpor_rules.md, S1 .. S4). Less is explored than with persistent sets, but
// executions may still be cut short, because what should follow the first step is forgotten
// (optimal_dpor.h does not).
#pragma once

#include "explore/por/sequence.h"
#include "explore/por/thread_sets.h"

namespace heddle::explore {

class SourceDpor : public ThreadSets {
 public:
  using ThreadSets::ThreadSets;

 protected:
  Answer Consider(const Reversal& reversal) override;

 private:
  std::vector<StepIndex> taken_;  // scratch
};

}  // namespace heddle::explore
