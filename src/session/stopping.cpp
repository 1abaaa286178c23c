#include "session/stopping.h"

namespace heddle::session {

void Stopping::Begin(uint64_t now_ms, bool to_save) {
  begun_ = true;
  begun_ms_ = now_ms;
  next_ask_ms_ = to_save ? kPatienceToSaveMs : kPatienceMs;
}

Stopping::Action Stopping::Look(bool in_flight, uint64_t now_ms) {
  if (!begun_ || killed_) return Action::kNone;
  if (now_ms < begun_ms_) return Action::kNone;  // the clock was read before stopping began
  const uint64_t had_ms = now_ms - begun_ms_;
  if (had_ms >= all_ms_) {
    killed_ = true;
    return Action::kKill;
  }
  if (!in_flight || killed_execution_ || had_ms < next_ask_ms_) return Action::kNone;
  if (had_ms >= kExecutionMs) {
    killed_execution_ = true;
    return Action::kKillExecution;
  }
  next_ask_ms_ = had_ms + kAgainMs;
  return Action::kSignal;
}

}  // namespace heddle::session
