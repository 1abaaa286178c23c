// The axis of a picture: where values lie on it, and which get a label. Labels are at round
// numbers, and as many as have room.
//
// Tested by tests/unit/report_axis_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::report {

enum class Scale { kLinear, kLogarithmic };

class Axis {
 public:
  // From 0 to `most`, or from 1 to `most` on a logarithmic scale, on a length of 1, with at most
  // `room` labels. REQUIRES: room >= 2.
  Axis(Scale scale, uint64_t most, unsigned room);

  // From 0, where the axis begins, to 1. What is not on the axis lies at its nearest end.
  double At(double value) const;
  Scale ItsScale() const { return scale_; }
  // The values that get a label, rising; the first is where the axis begins.
  const std::vector<uint64_t>& Ticks() const { return ticks_; }

 private:
  Scale scale_;
  double most_;
  std::vector<uint64_t> ticks_;
};

}  // namespace heddle::report
