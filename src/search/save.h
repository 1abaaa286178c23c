// The moment at which a search can be saved: between two executions, when the explorer has learnt
// from the one and does not know the next. All that a search knows is then in shared memory
// (explore/explorer.h, runtime/roots.h), and a process that finds it there goes on as the next
// process does when one has died. So the supervisor copies that memory while this process stands
// still (session/saved_search.h).
#pragma once

#include "channel/channel.h"

namespace heddle::search {

// One load: it is asked before every execution.
inline bool SaveIsWished(const channel::Header& header) {
  return header.save_wished.load(std::memory_order_relaxed) != 0;
}

// Tells the supervisor which memory is in use, and waits until it has copied that, or does without.
// `ends`: the search ends here; kNone: it goes on. REQUIRES: between Learn and NextPlan.
void StandStill(channel::Header& header, channel::Stop ends);

}  // namespace heddle::search
