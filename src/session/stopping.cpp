#include "session/stopping.h"

#include <algorithm>

namespace heddle::session {

void Stopping::Begin(const Watchdog::Sight& sight, uint64_t now_ms, bool to_save) {
  begun_ = true;
  all_ms_ = to_save ? kAllToSaveMs : kAllMs;
  had_ms_ = 0;
  begun_ms_ = looked_ms_ = now_ms;
  next_ask_ms_ = kPatienceMs;
  last_ = sight;
}

Stopping::Action Stopping::Look(const Watchdog::Sight& sight, uint64_t now_ms) {
  if (!begun_ || killed_) return Action::kNone;
  if (now_ms < looked_ms_) return Action::kNone;  // the clock was read before stopping began
  had_ms_ += Watchdog::Had(last_, sight, now_ms - looked_ms_);
  last_ = sight;
  looked_ms_ = now_ms;
  if (had_ms_ >= all_ms_ || now_ms - begun_ms_ >= kMostMs) {
    killed_ = true;
    return Action::kKill;
  }
  if (!sight.in_flight || killed_execution_ || had_ms_ < next_ask_ms_) return Action::kNone;
  if (had_ms_ >= kExecutionMs) {
    killed_execution_ = true;
    return Action::kKillExecution;
  }
  next_ask_ms_ = had_ms_ + kAgainMs;
  return Action::kSignal;
}

}  // namespace heddle::session
