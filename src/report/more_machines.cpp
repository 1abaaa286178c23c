#include "report/more_machines.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::report {
namespace {

constexpr double kHour = 3600;
constexpr double kCores = 64;
constexpr double kEfficiency = 0.9;  // bench/campaign_simulation.py

std::string Roughly(double seconds) {
  struct Unit {
    double seconds;
    const char* name;
  };
  constexpr Unit kUnits[] = {
      {365 * 24 * kHour, "years"}, {24 * kHour, "days"}, {kHour, "hours"}, {60, "minutes"}};
  for (const Unit& unit : kUnits)
    if (seconds >= 1.5 * unit.seconds)
      return fmt::format("{:.{}f} {}", seconds / unit.seconds, seconds < 9.5 * unit.seconds ? 1 : 0,
                         unit.name);
  return "a minute";
}

// The names are those of options: what docs/pieces.md says can be cut.
bool CanBeCut(const SearchResult& result) {
  const bool in_order = result.order == "depth-first" || result.order == "escalating";
  const bool reduces = result.reduction == "optimal" || result.reduction == "source" ||
                       result.reduction == "dpor" || result.reduction == "sleep-sets";
  return in_order && reduces && result.visited == "none" && !result.bound;
}

}  // namespace

std::string MoreMachinesText(const SearchResult& result) {
  const double left = result.estimate.executions - static_cast<double>(result.executions);
  if (!CanBeCut(result) || result.executions == 0 || result.elapsed_s <= 0) return "";
  const double here = left * result.elapsed_s / static_cast<double>(result.executions);
  const double jobs = static_cast<double>(std::max<size_t>(result.jobs.size(), 1));
  if (here < kHour || jobs >= kCores) return "";
  return fmt::format(
      "about {} more on this machine; `heddle-campaign run DIR -- PROG` on 64 cores: about {} "
      "(docs/campaigns.md)",
      Roughly(here), Roughly(here * jobs / (kCores * kEfficiency)));
}

}  // namespace heddle::report
