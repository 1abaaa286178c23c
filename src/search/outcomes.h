// What heddle_outcome() said of each execution: how often, and by how few preemptions and
// early timeouts.
#pragma once

#include <cstdint>
#include <vector>

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

  explicit Outcomes(State* state) : state_(state) {}
  Then OnExecution(const plan::Plan& plan, const trace::Execution& execution) override;

 private:
  State* const state_;
};

}  // namespace heddle::search
