#include "report/finding_places.h"

#include "op/operation.h"

namespace heddle::report {

const Step* PrimaryStep(const Finding& finding) {
  for (const Step& step : finding.steps) {
    const bool waits = (step.flags & channel::kStepBlocked) != 0 &&
                       step.operation != op::Info(op::Kind::kThreadJoin).name;
    if (waits && step.thread == finding.thread && !step.location.file.empty()) return &step;
  }
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
