// What of an execution could not happen if memory had one copy: loads that do not read the newest
// write, and stores that go before others in modification order.
#pragma once

#include <vector>

#include "explain/recorded.h"

namespace heddle::explain {

struct Stale {
  EventId event;   // the load or store
  EventId passed;  // the newest write that the load could have seen, or the write that the store is
                   // directly before: it had been made
};

// In the order of their events.
std::vector<Stale> StaleIn(const Recorded& execution);

}  // namespace heddle::explain
