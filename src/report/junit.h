// Results as JUnit XML, in the dialect that Jenkins and GitLab read: one testsuite with one
// testcase for each result.
//
//   bug           a <failure>: one, with every finding's text, because both tools show only one
//   uncontrolled  an <error>: the test could not be judged
//   clean         passes
//   incomplete    passes, and the property heddle.complete says "false"
#pragma once

#include <string>
#include <vector>

#include "report/named_result.h"

namespace heddle::report {

// The whole document. Every character in it is one that XML 1.0 allows.
std::string ToJunit(const std::vector<NamedResult>& results);

}  // namespace heddle::report
