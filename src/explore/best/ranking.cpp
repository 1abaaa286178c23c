#include "explore/best/ranking.h"

#include <algorithm>

#include "base/check.h"

namespace heddle::explore {
namespace {

struct Function {
  uint32_t (*value)(const BacktrackingPoint& point);
  uint32_t bits;  // that its values need; larger ones count as the largest
};

Function FunctionOf(space::Priority name) {
  constexpr uint32_t kMany = 16;
  switch (name) {
    case space::Priority::kPb:
      return {Pb, kMany};
    case space::Priority::kDpor:
      return {Dpor, 1};
    case space::Priority::kMdpor:
      return {Mdpor, 2};
    case space::Priority::kSs:
      return {Ss, 1};
    case space::Priority::kRand:
      return {Rand, kMany};
    case space::Priority::kMethod:
      return {Method, 2};
    case space::Priority::kVar:
      return {Var, 2};
  }
  HEDDLE_CHECK(false);  // no value of the axis
  __builtin_unreachable();
}

}  // namespace

// 40 bits for all seven of them.
uint64_t Ranking::Of(BacktrackingPoint point) const {
  point.seed = seed_;
  uint64_t rank = 0;
  for (const space::Priority name : functions_.List()) {
    const Function function = FunctionOf(name);
    const uint32_t most = (1u << function.bits) - 1;
    rank = rank << function.bits | std::min(function.value(point), most);
  }
  return rank;
}

bool Ranking::Has(space::Priority function) const {
  return std::ranges::count(functions_.List(), function) != 0;
}

}  // namespace heddle::explore
