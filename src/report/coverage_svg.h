// The picture of what searches covered: two panels, graphs by preemptions and graphs over
// executions, with a legend, as one SVG file that needs nothing else (docs/report.md, "Coverage").
#pragma once

#include <string>

#include "report/coverage_curves.h"

namespace heddle::report {

std::string ToSvg(const CoverageCurves& picture);

}  // namespace heddle::report
