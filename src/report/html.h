// Results as one HTML page that needs nothing else: no network, no other file. What was found and
// explored is in the page's text; the schedules are data (JSON), which html/page.js draws: threads
// as lanes, preemptions as arrows, sources beside the steps. Where scripts do not run, the page has
// the text of `heddle report` in their place.
#pragma once

#include <string>
#include <vector>

#include "report/named_result.h"

namespace heddle::report {

// Sources are read now: the page has the lines around every step.
std::string ToHtml(const std::vector<NamedResult>& results);

}  // namespace heddle::report
