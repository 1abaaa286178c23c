#include "session/watchdog.h"

#include <algorithm>

namespace heddle::session {

void Watchdog::Reset(uint64_t now_ms) {
  since_ms_ = now_ms;
  signalled_ = false;
  killed_ = false;
}

uint64_t Watchdog::Limit(const Sight& sight) const {
  if (!sight.started) return std::max(limit_ms_, kStartUpMs);
  return sight.in_flight ? limit_ms_ : std::max(limit_ms_, kIdleMs);
}

Watchdog::Action Watchdog::Look(const Sight& sight, uint64_t now_ms) {
  if (limit_ms_ == 0 || killed_) return Action::kNone;
  bool moved = sight.heartbeat != last_.heartbeat || sight.started != last_.started ||
               sight.in_flight != last_.in_flight;
  last_ = sight;
  if (moved) {
    Reset(now_ms);
    return Action::kNone;
  }
  uint64_t still_ms = now_ms - since_ms_;
  uint64_t limit_ms = Limit(sight);
  if (still_ms < limit_ms) return Action::kNone;
  bool can_answer = sight.started && sight.in_flight;
  if (can_answer && !signalled_) {
    signalled_ = true;
    return Action::kSignal;
  }
  if (can_answer && still_ms < limit_ms + kGraceMs) return Action::kNone;
  killed_ = true;
  return Action::kKill;
}

}  // namespace heddle::session
