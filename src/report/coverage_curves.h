// What searches covered, as the data of a picture: of the curves of docs/report.md, "Coverage".
//
// Tested by tests/unit/report_coverage_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "report/named_result.h"
#include "report/search_result.h"

namespace heddle::report {

struct CoverageCurve {
  std::string label;  // one line; of two searches never the same
  // Graphs seen in executions with at most i preemptions (and early timeouts).
  std::vector<uint64_t> by_preemptions;
  size_t exhausted = 0;  // of these bounds, the first so many: every schedule within them was run
  std::vector<CoveragePoint> over_executions;
  uint64_t executions = 0;
  uint64_t graphs = 0;
  uint64_t all = 0;  // how many the program has; 0: not known
};

struct CoverageCurves {
  std::string programs;  // "queue_test --fast", "3 programs"
  bool one_program = false;
  bool time_limits = false;  // in some program
  bool shares = false;       // `all` is known of every curve
  std::vector<CoverageCurve> curves;
};

// An error if there is none, or if one was written by a heddle that did not count over executions.
base::Result<CoverageCurves> CoverageCurvesOf(const std::vector<NamedResult>& results);

}  // namespace heddle::report
