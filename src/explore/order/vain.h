// Vain rounds of loops that wait (trace::Step::vain) are taken out of an execution before the
// reductions see it. What they show is kept apart: a loop that looks there goes round once more.
#pragma once

#include <vector>

#include "trace/execution.h"

namespace heddle::explore {

// A vain round, before step `step` of the execution without any.
struct Look {
  uint32_t step;
  op::ThreadId thread;
  uint32_t object;
  op::Level level;  // of the object
  uint32_t await;   // trace::Step
  bool repeatable;  // likewise
};

class WithoutVain {
 public:
  // `execution` itself, if it has none; else a copy without them, valid until the next call.
  const trace::Execution& Of(const trace::Execution& execution);
  const std::vector<Look>& Looks() const { return looks_; }

 private:
  uint32_t Kept(uint32_t event) const;

  trace::Execution copy_;
  std::vector<Look> looks_;
  std::vector<trace::Step> steps_;
  std::vector<trace::Event> events_;
  std::vector<trace::AtomicAccess> atomics_;
  std::vector<trace::Touch> touches_;
  std::vector<trace::Choice> choices_;
  std::vector<trace::LetGo> let_go_;
  std::vector<trace::Stalled> stalled_;
  std::vector<uint32_t> kept_;  // by event: how many before it stay
};

}  // namespace heddle::explore
