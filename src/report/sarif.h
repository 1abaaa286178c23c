// Results as one SARIF 2.1.0 log, for GitHub code scanning and other viewers.
//
// One run holds all results: GitHub refuses a file that has several runs of one tool and category.
// Which search a finding is from is told by its invocation: there is one for each result.
#pragma once

#include <string>
#include <vector>

#include "report/named_result.h"

namespace heddle::report {

// `root` is an absolute path: files below it are named relative to %SRCROOT%, others by their whole
// path.
std::string ToSarif(const std::vector<NamedResult>& results, const std::string& root);

// `path` as a URI path: what is neither a letter, a digit, a slash nor one of "-._~" becomes %XX.
std::string PercentEncoded(const std::string& path);

}  // namespace heddle::report
