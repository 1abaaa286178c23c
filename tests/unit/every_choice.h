// A schedule as a plan that names every choice point, as heddle replay runs it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plan/plan.h"

namespace heddle {

// `options`: of every choice point, in order.
inline std::vector<plan::Deviation> EveryChoice(std::span<const uint32_t> options) {
  std::vector<plan::Deviation> deviations;
  for (uint32_t i = 0; i < options.size(); ++i) deviations.push_back({i, options[i]});
  return deviations;
}

}  // namespace heddle
