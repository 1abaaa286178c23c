#include "report/more_machines.h"

#include <algorithm>

#include "report/wording.h"

namespace heddle::report {
namespace {

constexpr double kHour = 3600;
constexpr double kCores = 64;
constexpr double kEfficiency = 0.9;  // bench/campaign_simulation.py

// The names are those of options: what docs/pieces.md says can be cut.
bool CanBeCut(const SearchResult& result) {
  const bool in_order = result.order == "depth-first" || result.order == "escalating";
  const bool reduces = result.reduction == "optimal" || result.reduction == "source" ||
                       result.reduction == "dpor" || result.reduction == "sleep-sets";
  return in_order && reduces && result.visited == "none" && !result.bound;
}

}  // namespace

std::string MoreMachinesText(const SearchResult& result) {
  const double here = SecondsLeft(result);
  const double jobs = static_cast<double>(std::max<size_t>(result.jobs.size(), 1));
  if (!CanBeCut(result) || here < kHour || jobs >= kCores) return "";
  return "on 64 cores: about " + DurationText(here * jobs / (kCores * kEfficiency)) +
         ", by `heddle-campaign run DIR -- PROG` (docs/campaigns.md)";
}

}  // namespace heddle::report
