// A limit on the time of several searches together.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace heddle::cli {

class TimeLimit {
 public:
  // It begins here. 0: there is none.
  explicit TimeLimit(uint64_t ms) : ms_(ms) {}

  // What each of `searches` gets of the time that is left, at least a millisecond. 0: there is no
  // limit.
  uint64_t ShareMs(size_t searches) const {
    if (ms_ == 0) return 0;
    const auto spent = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begun_);
    const uint64_t left = ms_ - std::min(ms_, static_cast<uint64_t>(spent.count()));
    return std::max<uint64_t>(left / std::max<size_t>(searches, 1), 1);
  }

 private:
  using Clock = std::chrono::steady_clock;

  const uint64_t ms_;
  const Clock::time_point begun_ = Clock::now();
};

}  // namespace heddle::cli
