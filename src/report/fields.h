// What heddle::Check hands to the test: the parts of a result that include/heddle.hpp reads,
// without a reader of JSON.
#pragma once

#include <string>

#include "report/search_result.h"

namespace heddle::report {

// "NAME BYTES\nVALUE\n" for each field, `verdict` first; each finding begins with its `bug`, the
// kind. `text` is the report as text.
std::string ToFields(const SearchResult& result, const std::string& text);

}  // namespace heddle::report
