// The JSON of docs/json.md: written by check, read back by report.
// Fields are added, never renamed.
#pragma once

#include <string>

#include "base/result.h"
#include "report/search_result.h"

namespace heddle::report {

std::string ToJson(const SearchResult& result);

// `name` is what error messages call the file.
base::Result<SearchResult> FromJson(const std::string& text, const std::string& name);

}  // namespace heddle::report
