#include "session/broker.h"

#include <algorithm>

namespace heddle::session {

Broker::Memory& Broker::Of(size_t job) {
  if (job >= memories_.size()) memories_.resize(job + 1);
  return memories_[job];
}

std::optional<Broker::Ask> Broker::WhomToAsk(std::span<const JobLoad> jobs, size_t stock,
                                             uint64_t now_ms) {
  const bool any_idle = std::ranges::any_of(jobs, [](const JobLoad& s) { return s.idle; });
  if (asked_ || stock != 0 || !any_idle) return std::nullopt;
  std::optional<size_t> best;
  for (size_t job = 0; job < jobs.size(); ++job) {
    if (!jobs[job].searches || jobs[job].idle || now_ms < Of(job).poor_until_ms) continue;
    const bool better =
        !best || jobs[job].waiting > jobs[*best].waiting ||
        (jobs[job].waiting == jobs[*best].waiting && Of(job).asked_ms < Of(*best).asked_ms);
    if (better) best = job;
  }
  if (!best) return std::nullopt;
  asked_ = best;
  Of(*best).asked_ms = now_ms;
  // Of those that wait where they are, some stay there.
  const uint32_t waiting = jobs[*best].waiting;
  const uint32_t branches = waiting > 1 ? std::min(portion_, (waiting + 1) / 2) : portion_;
  return Ask{*best, branches};
}

void Broker::Answered(size_t branches, uint64_t now_ms) {
  if (!asked_) return;
  if (branches == 0) Of(*asked_).poor_until_ms = now_ms + kPoorMs;
  asked_.reset();
}

std::optional<Broker::Bring> Broker::WhomToBring(std::span<const JobLoad> jobs, size_t stock,
                                                 uint64_t now_ms) {
  if (stock == 0) return std::nullopt;
  const auto idle =
      static_cast<size_t>(std::ranges::count_if(jobs, [](const JobLoad& s) { return s.idle; }));
  if (idle == 0) return std::nullopt;
  const auto first = std::ranges::find_if(jobs, [](const JobLoad& s) { return s.idle; });
  const auto job = static_cast<size_t>(first - jobs.begin());
  Memory& memory = Of(job);
  if (memory.brought_ms != 0) {
    const uint64_t took_ms = now_ms - memory.brought_ms;
    if (took_ms < kSoonMs) portion_ = std::min(2 * portion_, most_portion_);
    if (took_ms > kLongMs) portion_ = std::max(portion_ / 2, 1u);
  }
  memory.brought_ms = now_ms;
  return Bring{job, (stock + idle - 1) / idle};
}

}  // namespace heddle::session
