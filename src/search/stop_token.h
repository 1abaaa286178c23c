// Has the supervisor asked for the end of the search? For what computes for long.
#pragma once

#include "explore/stop_token.h"
#include "runtime/control.h"

namespace heddle::search {

inline explore::StopToken StopTokenOfSearch() {
  return explore::StopToken(runtime::ChannelHeader().stop_request);
}
inline bool IsStopping() { return StopTokenOfSearch().IsRequested(); }

}  // namespace heddle::search
