#include "session/watchdog.h"

#include <algorithm>

namespace heddle::session {

void Watchdog::Reset(uint64_t now_ms) {
  looked_ms_ = now_ms;
  had_ms_ = 0;
  next_ask_ms_ = 0;
  killed_ = false;
}

uint64_t Watchdog::Limit(const Sample& sample) const {
  if (!sample.started) return std::max(limit_ms_, kStartUpMs);
  return sample.in_flight ? limit_ms_ : std::max(limit_ms_, kIdleMs);
}

uint64_t Watchdog::Had(const Sample& before, const Sample& now, uint64_t passed_ms) {
  const uint64_t cpu_ms = now.cpu_ms > before.cpu_ms ? now.cpu_ms - before.cpu_ms : 0;
  // Asleep at both looks and idle in between: it is blocked.
  const bool blocked = now.asleep && before.asleep && cpu_ms * 10 <= passed_ms;
  return blocked ? std::min(passed_ms, kMostPerLookMs) : cpu_ms;
}

Watchdog::Action Watchdog::Look(const Sample& sample, uint64_t now_ms) {
  if (limit_ms_ == 0 || killed_) return Action::kNone;
  const bool moved = sample.heartbeat != last_.heartbeat || sample.started != last_.started ||
                     sample.in_flight != last_.in_flight;
  if (!moved) had_ms_ += Had(last_, sample, now_ms - looked_ms_);
  last_ = sample;
  looked_ms_ = now_ms;
  if (moved) {
    Reset(now_ms);
    return Action::kNone;
  }
  const uint64_t limit_ms = Limit(sample);
  if (had_ms_ < limit_ms) return Action::kNone;
  const bool can_answer = sample.started && sample.in_flight;
  if (can_answer && had_ms_ < limit_ms + kGraceMs) {
    if (had_ms_ < next_ask_ms_) return Action::kNone;
    next_ask_ms_ = had_ms_ + kAgainMs;
    return Action::kSignal;
  }
  killed_ = true;
  return Action::kKill;
}

}  // namespace heddle::session
