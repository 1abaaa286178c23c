// What heddle_outcome() said of each execution: how often, and by how few preemptions and
// early timeouts. Of several searches, what more than one of them ran counts as one execution.
#pragma once

#include <cstdint>
#include <vector>

#include "explore/coverage.h"
#include "explore/observer.h"

namespace heddle::search {

class Outcomes final : public explore::Observer {
 public:
  struct Entry {
    char label[256];
    uint64_t count;
    uint32_t preemptions;  // of the execution with the fewest of both
    uint32_t early_timeouts;
  };
  struct State {
    std::vector<Entry> entries;
  };

  // `known`: has seen each execution before this, and tells whether it is again; null: none is.
  explicit Outcomes(State* state, const explore::Coverage* known = nullptr)
      : state_(state), known_(known) {}
  Then OnExecution(const plan::Plan& plan, const trace::Execution& execution) override;
  // The explorer says so of the last execution, after it has learnt from it: it does not count.
  void LastWasRunAgain();

 private:
  static constexpr size_t kNone = ~size_t{0};
  State* const state_;
  const explore::Coverage* const known_;
  size_t last_ = kNone;  // the entry that counted the last execution
};

}  // namespace heddle::search
