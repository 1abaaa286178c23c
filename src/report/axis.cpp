#include "report/axis.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heddle::report {
namespace {

constexpr uint64_t kLargest = std::numeric_limits<uint64_t>::max();

uint64_t Times(uint64_t number, uint64_t factor) {
  return number > kLargest / factor ? kLargest : number * factor;
}

// The least of 1, 2, 5, 10, 20, 50 ... of which at most `room` multiples, 0 among them, are not
// more than `most`.
uint64_t StepFor(uint64_t most, unsigned room) {
  for (uint64_t decade = 1;; decade = Times(decade, 10)) {
    for (const uint64_t digit : {1, 2, 5}) {
      const uint64_t step = Times(decade, digit);
      if (most / step < room) return step;
    }
  }
}

std::vector<uint64_t> LinearTicks(uint64_t most, unsigned room) {
  const uint64_t step = StepFor(most, room);
  std::vector<uint64_t> ticks;
  for (uint64_t i = 0; i <= most / step; ++i) ticks.push_back(i * step);
  return ticks;
}

// 1, 2, 5, 10, 20 ..., if there is room for these; else 1 and its multiples by a power of ten.
std::vector<uint64_t> LogarithmicTicks(uint64_t most, unsigned room) {
  std::vector<uint64_t> ticks;
  for (uint64_t decade = 1; decade <= most; decade = Times(decade, 10)) {
    for (const uint64_t digit : {1, 2, 5})
      if (Times(decade, digit) <= most) ticks.push_back(Times(decade, digit));
    if (decade > kLargest / 10) break;
  }
  for (uint64_t factor = 10; ticks.size() > room; factor = Times(factor, 10)) {
    ticks.clear();
    for (uint64_t tick = 1; tick <= most; tick *= factor) {
      ticks.push_back(tick);
      if (tick > kLargest / factor) break;
    }
  }
  return ticks;
}

}  // namespace

Axis::Axis(Scale scale, uint64_t most, unsigned room)
    : scale_(scale), most_(static_cast<double>(std::max<uint64_t>(most, 1))) {
  const uint64_t end = std::max<uint64_t>(most, 1);
  ticks_ = scale == Scale::kLinear ? LinearTicks(end, room) : LogarithmicTicks(end, room);
}

double Axis::At(double value) const {
  if (scale_ == Scale::kLinear) return std::clamp(value / most_, 0.0, 1.0);
  if (most_ <= 1 || value <= 1) return 0;
  return std::min(std::log(value) / std::log(most_), 1.0);
}

}  // namespace heddle::report
