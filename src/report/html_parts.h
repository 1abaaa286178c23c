// What the page is made of: html/page.css and html/page.js, which the build turns into these, and
// the data that the script draws.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/named_result.h"

namespace heddle::report {

std::string_view PageStyle();
std::string_view PageScript();

// "r2f1": the first finding of the second result, both from 1. The element of the finding has this
// id, and what belongs to it has one that begins so.
std::string FindingId(size_t result, size_t finding);
std::string OtherId(const std::string& finding);  // of the schedule beside its own

// Steps, stacks and sources of all findings as JSON, which can stand in a <script> element: nothing
// in it can end that element or begin a comment.
std::string PageData(const std::vector<NamedResult>& results);

}  // namespace heddle::report
