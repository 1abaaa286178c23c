#include "report/finding_places.h"

#include <algorithm>
#include <string>
#include <vector>

#include "op/operation.h"

namespace heddle::report {

namespace {

// Where `thread` waits in the end, but for joins: these only tell that another thread waits.
const Step* WaitOf(const Finding& finding, const std::string& thread) {
  for (const Step& step : finding.steps)
    if ((step.flags & channel::kStepBlocked) != 0 && step.thread == thread &&
        step.operation != op::Info(op::Kind::kThreadJoin).name)
      return &step;
  return nullptr;
}

// The wait that others come from: from where the finding's thread waits, to where the owner of what
// it waits for does, and so on. If that comes round, the first in the cycle; the others' waits are
// no reason for it. Null: its thread does not wait.
const Step* RootOfWaits(const Finding& finding) {
  std::vector<const Step*> way;
  const Step* wait = WaitOf(finding, finding.thread);
  while (wait != nullptr && std::ranges::find(way, wait) == way.end()) {
    way.push_back(wait);
    wait = WaitOf(finding, wait->owner);
  }
  if (wait == nullptr) return way.empty() ? nullptr : way.back();
  return *std::min_element(std::ranges::find(way, wait), way.end());  // in the order of the steps
}

}  // namespace

const Step* PrimaryStep(const Finding& finding) {
  for (const Step* const wait : {RootOfWaits(finding), WaitOf(finding, finding.thread)})
    if (wait != nullptr && !wait->location.file.empty()) return wait;
  for (uint32_t wanted : {uint32_t{channel::kStepRaceSecond}, uint32_t{channel::kStepEnding},
                          uint32_t{channel::kStepMade}, kPlaces}) {
    for (const Step& step : finding.steps) {
      if ((step.flags & wanted) != 0 && !step.location.file.empty()) return &step;
    }
  }
  return nullptr;
}

Location PrimaryPlace(const Finding& finding, const SearchResult& result) {
  if (const Step* primary = PrimaryStep(finding)) return primary->location;
  for (const Location& location : finding.locations)
    if (!location.file.empty()) return location;
  return {result.program.empty() ? "unknown" : result.program, 1, ""};
}

}  // namespace heddle::report
